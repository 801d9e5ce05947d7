// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.view;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Sockets of JVMs that were killed while somebody looked who was killed, too: whoever looks next at a JVM of that user removes
 * them. A pid does not tell, as containers that share a /tmp count on their own; the kernel does: to a socket of which nobody
 * has the other end, a connection is refused, wherever its process was.
 */
public final class AbandonedSockets {
    /** Somebody who makes a socket lets nobody in for a moment. And younger ones may wait for a client: we are not the one. */
    private static final Duration YOUNG = Duration.ofMinutes(1);

    private AbandonedSockets() {}

    /**
     * Removes those that nobody listens at, are this user's, and have been there for a while.
     *
     * @param prefix what their names begin with; a number follows
     */
    public static void remove(Path directory, String prefix, int uid) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, prefix + "[0-9]*")) {
            files.forEach(file -> removeAbandoned(file, uid));
        } catch (IOException | DirectoryIteratorException unreadable) {
            return; // what lies there harms nobody
        }
    }

    private static void removeAbandoned(Path file, int uid) {
        try {
            if (isOldSocketOf(file, uid) && isRefused(file)) {
                Files.deleteIfExists(file);
            }
        } catch (IOException goneOrNotOurs) {
            return;
        }
    }

    private static boolean isOldSocketOf(Path file, int uid) throws IOException {
        Map<String, Object> is = Files.readAttributes(file, "unix:uid,isOther,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
        Instant made = ((FileTime) is.get("lastModifiedTime")).toInstant();
        return is.get("uid").equals(uid)
                && is.get("isOther").equals(true)
                && made.isBefore(Instant.now().minus(YOUNG));
    }

    /** A full queue is none: then nothing is known at once. */
    private static boolean isRefused(Path file) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(file));
            return false;
        } catch (ConnectException refused) {
            return true;
        }
    }
}
