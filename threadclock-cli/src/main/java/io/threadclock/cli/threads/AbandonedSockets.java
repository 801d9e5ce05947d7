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
 * Sockets of JVMs that were killed together with their clients: the next client of a JVM of that user removes
 * them. A pid does not tell, as containers that share a /tmp count on their own; the kernel does: to a socket of which nobody
 * has the other end, a connection is refused, wherever its process was.
 */
public final class AbandonedSockets {
    /** Somebody who makes a socket lets nobody in for a moment. And younger ones may wait for a client: we are not the one. */
    private static final Duration YOUNG = Duration.ofMinutes(1);

    /** Everybody may put more of them there. */
    private static final int MOST_FILES = 100;

    private AbandonedSockets() {}

    /**
     * Removes those that nobody listens at, are this user's, and have been there for a while.
     *
     * @param prefix what their names begin with; a number follows
     */
    public static void remove(OpenFolder folder, String prefix, int uid) {
        try {
            folder.names(prefix + "[0-9]*", MOST_FILES)
                    .forEach(name -> removeAbandoned(new SocketFile(folder, name), uid));
        } catch (IOException unreadable) {
            return; // what lies there harms nobody
        }
    }

    private static void removeAbandoned(SocketFile file, int uid) {
        Optional<FileStat> facts = file.facts().filter(its -> isOldSocketOf(its, uid));
        try {
            if (facts.isPresent() && file.isRefused()) {
                file.delete(facts.get().key());
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
