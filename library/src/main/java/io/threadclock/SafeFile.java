// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file that is what this process has mapped, and that nobody but root and this process's user can write or replace:
 * it and all folders above it belong to root or that user, and only root's group, or the owner's private group (its
 * number is the owner's), may write to them. In a folder like /tmp, only its owner can remove a file, so a file there
 * is as safe as its owner.
 *
 * <p>Assumption: a path that the kernel lists has no symbolic links.
 */
final class SafeFile {
    private static final int WRITE_GROUP = 0020;
    private static final int WRITE_OTHERS = 0002;
    private static final int STICKY = 01000;
    private static final int KIND = 0170000;
    private static final int FOLDER = 0040000;
    private static final int REGULAR = 0100000;
    private static final Path SELF = Paths.get("/proc/self");
    private static final Pattern NUMBERS = Pattern.compile("(?m)^\\S+ r--s \\S+ (\\S+ \\d+) .*$");

    private SafeFile() {}

    /** @param numbers device and inode, as the kernel lists them for the mapping */
    static boolean is(Path file, String numbers) {
        try {
            int user = (Integer) Files.getAttribute(SELF, "unix:uid");
            return isSafe(file, REGULAR, user)
                    && areSafe(file.getParent(), user)
                    && (numbers(file).equals(numbers) || numbersWhenMapped(file).contains(numbers));
        } catch (IOException | RuntimeException unreadable) { // a security manager, a file that was cut meanwhile
            return false;
        }
    }

    /** Whether nobody else can replace a file that this process's user puts into a folder. */
    static boolean isKeptIn(Path folder) throws IOException {
        return areSafe(folder.toRealPath(), (Integer) Files.getAttribute(SELF, "unix:uid"));
    }

    private static boolean areSafe(Path folder, int user) throws IOException {
        return folder == null || isSafe(folder, FOLDER, user) && areSafe(folder.getParent(), user);
    }

    private static boolean isSafe(Path file, int kind, int user) throws IOException {
        Map<String, Object> is = Files.readAttributes(file, "unix:mode,uid,gid", LinkOption.NOFOLLOW_LINKS);
        int mode = (Integer) is.get("mode");
        int owner = (Integer) is.get("uid");
        int group = (Integer) is.get("gid");
        boolean isSticky = kind == FOLDER && (mode & STICKY) != 0;
        boolean isForGroup = (mode & WRITE_GROUP) != 0 && group != 0 && group != owner;
        return (mode & KIND) == kind
                && (owner == 0 || owner == user)
                && (isSticky || !isForGroup && (mode & WRITE_OTHERS) == 0);
    }

    private static String numbers(Path file) throws IOException {
        Map<String, Object> is = Files.readAttributes(file, "unix:dev,ino", LinkOption.NOFOLLOW_LINKS);
        long device = (Long) is.get("dev"); // as makedev(3) puts it together
        long major = device >>> 8 & 0xfff | device >>> 32 & ~0xfffL;
        long minor = device & 0xff | device >>> 12 & ~0xffL;
        return String.format("%02x:%02x %s", major, minor, is.get("ino"));
    }

    /**
     * Overlayfs and btrfs list other numbers for a mapping than stat(2) gives for the file, so map the file and take
     * the numbers that the kernel then lists.
     */
    static Set<String> numbersWhenMapped(Path file) throws IOException {
        Set<String> before = lines();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, 1);
            Set<String> added = lines();
            added.removeAll(before);
            Set<String> numbers = new HashSet<>();
            for (String line : added) {
                Matcher match = NUMBERS.matcher(line);
                if (match.matches() && line.endsWith("/" + file.getFileName())) {
                    numbers.add(match.group(1));
                }
            }
            return mapped.capacity() == 1 ? numbers : new HashSet<>(); // it is mapped until here
        }
    }

    private static Set<String> lines() throws IOException {
        byte[] maps = Files.readAllBytes(SELF.resolve("maps"));
        return new HashSet<>(Arrays.asList(new String(maps, StandardCharsets.UTF_8).split("\n")));
    }
}
