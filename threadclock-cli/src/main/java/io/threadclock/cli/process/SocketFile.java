// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import jdk.net.ExtendedSocketOptions;

/**
 * The file of a socket in a folder that is held. Others may write there, and root of a container may change all of it
 * at any moment. Therefore a connection is made only to a file in this very folder, to which no link leads, and only if
 * the kernel says that the expected user listens there.
 */
public record SocketFile(OpenFolder folder, String name) {
    private static final long LOOK_AGAIN_NS = 1_000_000;

    /** Whether the file exists. */
    public boolean exists() {
        return facts().filter(FileStat::isSocket).isPresent();
    }

    /** Empty if there is no file. */
    public Optional<FileStat> facts() {
        try {
            return Optional.of(folder.facts(name));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /**
     * Connects; the channel does not block from then on.
     *
     * @param uid the user who must listen
     * @param timeout how long to wait while too many others wait to be accepted
     * @throws IOException with the reason why it is not connected
     */
    public SocketChannel connect(int uid, Duration timeout) throws IOException {
        refuseStrangers(uid);
        long endNs = System.nanoTime() + timeout.toNanos();
        try (LinkFreePath way = new LinkFreePath(folder.path())) {
            while (true) {
                try {
                    return connected(way.resolve(name), uid);
                } catch (ConnectException refused) {
                    throw refused;
                } catch (SocketException full) {
                    awaitRoom(full, endNs);
                }
            }
        }
    }

    /** Whether nobody listens. A full queue means that somebody does. */
    public boolean isRefused() throws IOException {
        try (LinkFreePath way = new LinkFreePath(folder.path());
                SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(way.resolve(name)));
            return false;
        } catch (ConnectException refused) {
            return true;
        }
    }

    private void refuseStrangers(int uid) throws IOException {
        FileStat facts = facts().orElseThrow(() -> new IOException("it has no " + name));
        if (!facts.isSocket()) {
            throw new IOException(path() + " in it is no socket");
        }
        if (facts.uid() != uid) {
            throw strangers(Integer.toUnsignedString(facts.uid()));
        }
    }

    private IOException strangers(String user) throws IOException {
        return new IOException(path() + " in it is user " + user + "'s");
    }

    /** For words: what the kernel says of the folder. */
    private Path path() throws IOException {
        return Files.readSymbolicLink(folder.path()).resolve(name);
    }

    private SocketChannel connected(Path path, int uid) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(path));
            UserPrincipal peer =
                    channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
            if (!peer.equals(user(uid))) {
                throw strangers(peer.getName());
            }
            return channel;
        } catch (IOException refused) {
            channel.close();
            throw refused;
        }
    }

    /** The user with this number. The name is not used, because the JDK compares numbers. */
    private static UserPrincipal user(int uid) throws IOException {
        return FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(Integer.toString(uid));
    }

    /**
     * For a full queue, the kernel only says that the call would block; for a link in its place, that it follows no
     * more.
     */
    private void awaitRoom(SocketException full, long endNs) throws SocketException {
        if (!exists() || System.nanoTime() - endNs > 0 || Thread.currentThread().isInterrupted()) {
            throw full;
        }
        LockSupport.parkNanos(LOOK_AGAIN_NS);
    }

    /**
     * Removes the file, if these facts still hold. The key alone does not tell, because a file system may give it to the
     * next file.
     */
    public void delete(FileStat expected) {
        try {
            if (folder.facts(name).equals(expected)) {
                Files.deleteIfExists(folder.path(name));
            }
        } catch (IOException goneOrNotOurs) {
            return;
        }
    }
}
