// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The socket of a JVM whose root directory is not ours, by the protocol that HotSpot speaks since JDK 6. Not every JDK's
 * own client finds it: that of 17.0.15 looks into our /tmp, unless the JVM has another pid namespace as well.
 */
public final class AttachSocket {
    private static final int ARGUMENTS = 3;
    private static final String PROTOCOL = "1";
    /** The stacks of 10,000 threads take some 20 MB. */
    private static final int MOST_BYTES = 1 << 26;

    private final int pid;
    private final Path socket;
    private final Path trigger;

    public AttachSocket(int pid, int namespacePid) {
        Path tmp = Path.of("/proc/" + pid + "/root/tmp");
        this.pid = pid;
        this.socket = tmp.resolve(".java_pid" + namespacePid);
        this.trigger = tmp.resolve(".attach_pid" + namespacePid);
    }

    /** Whether that process has another root directory than this one. */
    static boolean isNeededFor(int pid) {
        try {
            Path target = Path.of("/proc/" + pid + "/root");
            return !Files.readAttributes(target, "unix:dev,ino").equals(Files.readAttributes(Path.of("/"), "unix:dev,ino"))
                    || !Files.readSymbolicLink(target.resolveSibling("ns/mnt"))
                            .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")));
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** Has the JVM make its socket: it does so on SIGQUIT, where it finds the trigger. */
    boolean awaitListener(long timeoutMs) throws IOException {
        if (Files.exists(socket)) {
            return true;
        }
        try {
            Files.createFile(trigger);
        } catch (FileAlreadyExistsException anotherClientsToo) {
            return askForListener(timeoutMs);
        }
        try {
            return askForListener(timeoutMs);
        } finally {
            Files.deleteIfExists(trigger);
        }
    }

    private boolean askForListener(long timeoutMs) throws IOException {
        new ProcessBuilder("sh", "-c", "kill -QUIT " + pid).inheritIO().start();
        long beginNs = System.nanoTime();
        while (!Files.exists(socket)) {
            if (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs) > timeoutMs) {
                return false;
            }
            JvmStart.pause();
        }
        return true;
    }

    /** What the JVM answers: a line with a number, then text; the beginning of it, if there is too much. */
    public String answer(String command, String... arguments) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            StringBuilder request = new StringBuilder(PROTOCOL).append('\0').append(command).append('\0');
            for (int i = 0; i < ARGUMENTS; i++) {
                request.append(i < arguments.length ? arguments[i] : "").append('\0');
            }
            ByteBuffer bytes = ByteBuffer.wrap(request.toString().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            InputStream answer = Channels.newInputStream(channel);
            return new String(answer.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        }
    }
}
