// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A directory that no other user can change or replace, nor anything in it. QuestDB trusts its files: it follows links,
 * writes where they lead, and uses lengths and positions in them.
 *
 * <p>It trusts root, this user, the user who has become root by sudo, and this user's groups.
 */
record PrivateDirectory(String tried, Set<Integer> users, Set<Integer> groups) {
    private static final int ROOT = 0;
    private static final int STICKY = 01000;
    private static final int GROUP_WRITES = 020;
    private static final int ALL_WRITE = 02;
    private static final int KIND = 0170000;
    private static final int LINK = 0120000;

    /**
     * @param directory an existing directory
     * @throws StoreFailure if another user can change it
     */
    static void verify(Path directory, String tried) {
        try {
            int uid = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            PrivateDirectory own =
                    new PrivateDirectory(tried, trusted(uid, System.getenv("SUDO_UID")), groupsOfThisProcess());
            own.verifyWay(directory.toAbsolutePath());
            own.verifyWay(directory.toRealPath());
            own.verifyContent(directory.toRealPath());
        } catch (IOException failure) {
            throw new StoreFailure(tried, "it cannot be looked at, " + failure, "Name another one by --dir.");
        }
    }

    /** @param sudo the caller according to sudo, which only root's own variables can tell; null if there is none */
    static Set<Integer> trusted(int uid, String sudo) {
        Set<Integer> users = new HashSet<>(Set.of(ROOT));
        users.add(uid);
        if (uid == ROOT && sudo != null && sudo.matches("\\d{1,9}")) {
            users.add(Integer.parseInt(sudo));
        }
        return users;
    }

    private static Set<Integer> groupsOfThisProcess() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.startsWith("Gid:") || line.startsWith("Groups:"))
                    .flatMap(line -> Stream.of(line.split("\\s+")).skip(1))
                    .map(Integer::parseUnsignedInt)
                    .collect(Collectors.toSet());
        }
    }

    /** In a sticky folder such as /tmp, others can only replace their own files. */
    private void verifyWay(Path directory) throws IOException {
        verify(directory, false);
        for (Path above = directory.getParent(); above != null; above = above.getParent()) {
            verify(above, true);
        }
    }

    private void verifyContent(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes seen) throws IOException {
                verify(folder, false);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes seen) throws IOException {
                if (seen.isSymbolicLink()) {
                    throw refusal(file + " is a link");
                }
                verify(file, false);
                return FileVisitResult.CONTINUE;
            }

            /** The recorder may drop an hour meanwhile. QuestDB does not read a file that cannot be read, either. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private void verify(Path file, boolean maySticky) throws IOException {
        Map<String, Object> facts;
        try {
            facts = Files.readAttributes(file, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException dropped) {
            return;
        }
        int mode = (Integer) facts.get("mode");
        if (!users.contains(facts.get("uid"))) {
            throw refusal(file + " belongs to user " + Integer.toUnsignedString((Integer) facts.get("uid")));
        }
        if ((mode & KIND) == LINK || maySticky && (mode & STICKY) != 0) {
            return;
        }
        if ((mode & ALL_WRITE) != 0) {
            throw refusal("everybody may write to " + file);
        }
        if ((mode & GROUP_WRITES) != 0 && !groups.contains(facts.get("gid"))) {
            throw refusal("group " + Integer.toUnsignedString((Integer) facts.get("gid")) + " may write to " + file);
        }
    }

    private StoreFailure refusal(String why) {
        return new StoreFailure(
                tried,
                "it can be changed by others, for " + why,
                "Name one of your own by --dir, or a copy of it if you trust whoever made it.");
    }
}
