// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether only certain users can put a file into a place: a file that belongs to them and that nobody else may
 * write, in folders of which the same is true up to the root. A group may write if it is root's, or the private one of
 * an owner, which has the owner's number. In a folder like /tmp, where everybody may write and only an owner may
 * remove, an existing file is as safe as its owner.
 *
 * <p>Assumptions: those users do not undo it; a path that the kernel lists has no links.
 *
 * @param root the root of the process that sees the place
 * @param users the trusted users
 */
public record TrustedPath(Path root, Set<Integer> users) {
    /**
     * Empty if others could not have put the file there, or cannot if there is none. Otherwise the text says how they
     * could.
     */
    public Optional<String> doubt(Path path) {
        try {
            for (Path folder = path.getParent(); folder != null; folder = folder.getParent()) {
                FileStat is = facts(folder);
                Optional<String> doubt =
                        is.isFolder() ? doubt(folder, is, is.isSticky()) : Optional.of(folder + " is no folder");
                if (doubt.isPresent()) {
                    return doubt;
                }
            }
            return doubtOfFile(path);
        } catch (IOException unreadable) {
            return Optional.of(path + " cannot be looked at");
        }
    }

    /** A file that does not exist yet may belong to anybody who may write to its folder. */
    private Optional<String> doubtOfFile(Path path) throws IOException {
        if (!Files.exists(inRoot(path), LinkOption.NOFOLLOW_LINKS)) {
            return doubt(path.getParent(), facts(path.getParent()), false);
        }
        FileStat is = facts(path);
        return is.isRegular() ? doubt(path, is, false) : Optional.of(path + " is no file");
    }

    /** The root itself is reached by a link of the kernel's. */
    private FileStat facts(Path seen) throws IOException {
        return seen.getParent() == null
                ? FileStat.of(inRoot(seen))
                : FileStat.of(inRoot(seen), LinkOption.NOFOLLOW_LINKS);
    }

    private Path inRoot(Path seen) {
        return root.resolve(Path.of("/").relativize(seen));
    }

    /** @param keepsFiles whether a file is safe although others may write to the folder */
    private Optional<String> doubt(Path seen, FileStat is, boolean keepsFiles) {
        if (!users.contains(is.uid())) {
            return Optional.of(seen + " belongs to user " + Integer.toUnsignedString(is.uid()));
        }
        if (is.isForEverybody() && !keepsFiles) {
            return Optional.of("everybody may write to " + seen);
        }
        if (is.isForGroup() && is.gid() != 0 && is.gid() != is.uid() && !keepsFiles) {
            return Optional.of("group " + Integer.toUnsignedString(is.gid()) + " may write to " + seen);
        }
        return Optional.empty();
    }
}
