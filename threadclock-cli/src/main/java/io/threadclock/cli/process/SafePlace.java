// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What certain users alone can put into a place: files that are theirs and that nobody else may write, in folders of which all
 * that is true up to the root. A group may write where it is root's, or the private one of an owner, which has its number. In
 * a folder like /tmp, where everybody may write and only an owner remove, what is there already is its owner's.
 *
 * <p>Assumed: those users do not undo it; a path has no links, as the kernel writes it.
 *
 * @param root of the process that sees the place
 * @param users trusted
 */
public record SafePlace(Path root, Set<Integer> users) {
    private static final int WRITE_GROUP = 0020;
    private static final int WRITE_OTHERS = 0002;
    private static final int STICKY = 01000;
    private static final int KIND = 0170000;
    private static final int FOLDER = 0040000;
    private static final int REGULAR = 0100000;

    /** Empty: others could not have put it there, or, where nothing is there, cannot. Else how they could, in words. */
    public Optional<String> doubt(Path path) {
        Path folder = path.getParent();
        try {
            Optional<String> doubt = folder == null ? Optional.empty() : doubtOfFolders(folder);
            if (doubt.isPresent()) {
                return doubt;
            }
            if (Files.exists(inRoot(path), LinkOption.NOFOLLOW_LINKS)) {
                return doubt(path, attributes(path), REGULAR);
            }
            boolean isOpenToAll = folder != null && ((Integer) attributes(folder).get("mode") & WRITE_OTHERS) != 0;
            return isOpenToAll ? Optional.of("everybody may write to " + folder) : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.of(path + " cannot be looked at");
        }
    }

    private Optional<String> doubtOfFolders(Path folder) throws IOException {
        if (folder.getParent() != null) {
            Optional<String> above = doubtOfFolders(folder.getParent());
            if (above.isPresent()) {
                return above;
            }
        }
        return doubt(folder, attributes(folder), FOLDER);
    }

    /** The root itself is reached by a link of the kernel's. */
    private Map<String, Object> attributes(Path seen) throws IOException {
        LinkOption[] options = seen.getParent() == null ? new LinkOption[0] : new LinkOption[] {LinkOption.NOFOLLOW_LINKS};
        return Files.readAttributes(inRoot(seen), "unix:mode,uid,gid", options);
    }

    private Path inRoot(Path seen) {
        return root.resolve(Path.of("/").relativize(seen));
    }

    private Optional<String> doubt(Path seen, Map<String, Object> is, int kind) {
        int mode = (Integer) is.get("mode");
        int owner = (Integer) is.get("uid");
        int group = (Integer) is.get("gid");
        boolean isSticky = kind == FOLDER && (mode & STICKY) != 0;
        if ((mode & KIND) != kind) {
            return Optional.of(seen + " is no " + (kind == FOLDER ? "folder" : "file"));
        }
        if (!users.contains(owner)) {
            return Optional.of(seen + " belongs to user " + Integer.toUnsignedString(owner));
        }
        if ((mode & WRITE_OTHERS) != 0 && !isSticky) {
            return Optional.of("everybody may write to " + seen);
        }
        if ((mode & WRITE_GROUP) != 0 && group != 0 && group != owner && !isSticky) {
            return Optional.of("group " + Integer.toUnsignedString(group) + " may write to " + seen);
        }
        return Optional.empty();
    }
}
