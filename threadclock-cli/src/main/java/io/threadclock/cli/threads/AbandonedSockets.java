// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import io.threadclock.cli.process.FileStat;
import io.threadclock.cli.process.OpenFolder;
import io.threadclock.cli.process.SocketFile;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Sockets of JVMs that were killed together with their clients. The next client of a JVM of that user removes them. A
 * pid does not tell whether a JVM lives, because containers that share a /tmp have pids of their own. The kernel does:
 * it refuses a connection to a socket on which nobody listens, wherever its process was.
 */
public final class AbandonedSockets {
    /**
     * A process that makes a socket refuses connections for a moment. A younger socket may also wait for a client that
     * is not us.
     */
    private static final Duration YOUNG = Duration.ofMinutes(1);

    /** Everybody may put more files there. */
    private static final int MOST_FILES = 100;

    private AbandonedSockets() {}

    /**
     * Removes sockets on which nobody listens, which belong to this user, and which are old enough.
     *
     * @param prefix the beginning of their names; a number follows
     */
    public static void remove(OpenFolder folder, String prefix, int uid) {
        try {
            folder.names(prefix + "[0-9]*", MOST_FILES)
                    .forEach(name -> removeAbandoned(new SocketFile(folder, name), uid));
        } catch (IOException unreadable) {
            return; // a file that stays there harms nobody
        }
    }

    private static void removeAbandoned(SocketFile file, int uid) {
        Optional<FileStat> facts = file.facts().filter(its -> isOldSocketOf(its, uid));
        try {
            if (facts.isPresent() && file.isRefused()) {
                file.delete(facts.get());
            }
        } catch (IOException goneOrNotOurs) {
            return;
        }
    }

    private static boolean isOldSocketOf(FileStat file, int uid) {
        return file.uid() == uid
                && file.isSocket()
                && file.modified().isBefore(Instant.now().minus(YOUNG));
    }
}
