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
 * The facts about a file from one stat(2).
 *
 * @param mode kind and permissions, see inode(7)
 * @param links the number of its names
 * @param key identifies the file system and the file in it
 */
public record FileStat(int mode, int uid, int gid, int links, long bytes, Object key, Instant modified) {
    private static final int PERMISSIONS = 07777;
    private static final int KIND = 0170000;
    private static final int SOCKET = 0140000;
    private static final int REGULAR = 0100000;
    private static final int FOLDER = 0040000;
    private static final int FIFO = 0010000;
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
                (Integer) is.get("nlink"),
                (Long) is.get("size"),
                is.get("fileKey"),
                modified);
    }

    /** Decides by the name alone, because the path goes through a descriptor. */
    private static Map<String, Object> attributes(Path file, LinkOption... options) throws IOException {
        try {
            return Files.readAttributes(file, "unix:mode,uid,gid,nlink,size,fileKey,lastModifiedTime", options);
        } catch (NoSuchFileException absent) {
            throw new NoSuchFileException(file.getFileName().toString(), null, "there is none");
        }
    }

    public int permissions() {
        return mode & PERMISSIONS;
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

    boolean isFifo() {
        return (mode & KIND) == FIFO;
    }

    /** Whether only its owner and root may write to it. */
    public boolean isOwnersAlone() {
        return !isForGroup() && !isForEverybody();
    }

    /** Whether its group may write to it. */
    boolean isForGroup() {
        return (mode & GROUP_WRITES) != 0;
    }

    /** Whether everybody may write to it. */
    boolean isForEverybody() {
        return (mode & ALL_WRITE) != 0;
    }

    boolean isSticky() {
        return (mode & STICKY) != 0;
    }

    /** Whether only its owner can remove or replace a file in this folder. */
    public boolean keepsFiles() {
        return isOwnersAlone() || isSticky();
    }
}
