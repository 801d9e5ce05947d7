// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;

/**
 * The facts of a file that one stat(2) tells.
 *
 * @param mode kind and permissions, see inode(7)
 * @param key which file system and which file of it
 */
public record FileStat(int mode, int uid, int gid, Object key, Instant modified) {
    private static final int KIND = 0170000;
    private static final int SOCKET = 0140000;
    private static final int REGULAR = 0100000;
    private static final int FOLDER = 0040000;
    private static final int STICKY = 01000;
    private static final int GROUP_WRITES = 0020;
    private static final int ALL_WRITE = 0002;

    static FileStat of(Path file, LinkOption... options) throws IOException {
        Map<String, Object> is = attributes(file, options);
        Instant modified = ((FileTime) is.get("lastModifiedTime")).toInstant();
        return new FileStat(
                (Integer) is.get("mode"),
                (Integer) is.get("uid"),
                (Integer) is.get("gid"),
                is.get("fileKey"),
                modified);
    }

    /** The name alone tells: the way there goes through a descriptor. */
    private static Map<String, Object> attributes(Path file, LinkOption... options) throws IOException {
        try {
            return Files.readAttributes(file, "unix:mode,uid,gid,fileKey,lastModifiedTime", options);
        } catch (NoSuchFileException absent) {
            throw new NoSuchFileException(file.getFileName().toString(), null, "there is none");
        }
    }

    public boolean isSocket() {
        return (mode & KIND) == SOCKET;
    }

    public boolean isRegular() {
        return (mode & KIND) == REGULAR;
    }

    public boolean isFolder() {
        return (mode & KIND) == FOLDER;
    }

    /** Whether its owner and root alone may write to it. */
    public boolean isOwnersAlone() {
        return !isForGroup() && !isForEverybody();
    }

    /** Whether its group may write to it. */
    boolean isForGroup() {
        return (mode & GROUP_WRITES) != 0;
    }

    /** Whether everybody may. */
    boolean isForEverybody() {
        return (mode & ALL_WRITE) != 0;
    }

    boolean isSticky() {
        return (mode & STICKY) != 0;
    }

    /** Whether a file in this folder can be removed or replaced by its owner alone. */
    public boolean keepsFiles() {
        return isOwnersAlone() || isSticky();
    }
}
