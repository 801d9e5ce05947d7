// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
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
public record TrustedPath(Path root, Set<Integer> users) {
    /** Empty: others could not have put it there, or, where nothing is there, cannot. Else how they could, in words. */
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

    /** What is not there yet is of anybody who may write to its folder. */
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

    /** @param keepsFiles whoever may write there */
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
