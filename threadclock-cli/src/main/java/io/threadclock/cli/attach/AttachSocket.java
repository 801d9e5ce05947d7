// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.FileStat;
import io.threadclock.cli.process.OpenFolder;
import io.threadclock.cli.process.SocketFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The socket of a JVM in its own /tmp, or in the folder that it was told to use, by the protocol that HotSpot has spoken
 * since JDK 6. The JDK's own client is not safe here: it follows links that anybody has put there, and as root it
 * connects to any socket that they lead to. That of 17.0.15 looks into our /tmp even for a JVM with another root
 * directory.
 */
public final class AttachSocket implements AutoCloseable {
    private static final int ARGUMENTS = 3;
    private static final String PROTOCOL = "1";
    private static final int CHUNK_BYTES = 1 << 16;
    /** The stacks of 10,000 threads take some 20 MB. */
    private static final int MOST_BYTES = 1 << 25;

    private final int pid;
    private final int uid;
    private final OpenFolder tmp;
    private final SocketFile socket;
    private final String trigger;

    /**
     * The socket of this JVM, whether the JVM has made it already or not.
     *
     * @param tmp see {@link io.threadclock.cli.process.Target#openTmp}; closed with this
     * @param uid the JVM's user
     */
    public AttachSocket(OpenFolder tmp, int pid, int namespacePid, int uid) {
        this.pid = pid;
        this.uid = uid;
        this.tmp = tmp;
        this.socket = new SocketFile(tmp, ".java_pid" + namespacePid);
        this.trigger = ".attach_pid" + namespacePid;
    }

    /** Makes the JVM create its socket, which it does on SIGQUIT if it finds the trigger file. */
    boolean awaitListener(long timeoutMs) throws IOException {
        if (socket.facts().isPresent()) {
            return true;
        }
        Path file = tmp.path(trigger);
        try {
            Files.createFile(file); // O_EXCL also refuses a link
        } catch (FileAlreadyExistsException anotherClientsToo) {
            return askForListener(timeoutMs);
        }
        FileStat made = tmp.facts(trigger);
        try {
            return askForListener(timeoutMs);
        } finally {
            new SocketFile(tmp, trigger).delete(made);
        }
    }

    private boolean askForListener(long timeoutMs) throws IOException {
        new ProcessBuilder("sh", "-c", "kill -QUIT " + pid).inheritIO().start();
        long beginNs = System.nanoTime();
        while (!socket.exists()) {
            if (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs) > timeoutMs) {
                return false;
            }
            JvmStart.pause();
        }
        return true;
    }

    /**
     * Returns the JVM's answer: a line with a number, then text. If the text is too long, this is its beginning.
     *
     * @param timeout from the question to the end of the answer
     */
    public String answer(Duration timeout, String command, String... arguments) throws IOException {
        long endNs = System.nanoTime() + timeout.toNanos();
        try (SocketChannel channel = socket.connect(uid, timeout);
                Selector selector = Selector.open()) {
            ask(channel, command, arguments);
            channel.register(selector, SelectionKey.OP_READ);
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
            int bytes = channel.read(chunk);
            while (bytes >= 0 && answer.size() < MOST_BYTES) {
                answer.write(chunk.array(), 0, bytes);
                if (bytes == 0) {
                    await(selector, endNs, timeout);
                }
                bytes = channel.read(chunk.clear());
            }
            return answer.toString(StandardCharsets.UTF_8);
        }
    }

    /** The question is shorter than the kernel's socket buffer, so that writing does not block. */
    private static void ask(SocketChannel channel, String command, String... arguments) throws IOException {
        StringBuilder request =
                new StringBuilder(PROTOCOL).append('\0').append(command).append('\0');
        for (int i = 0; i < ARGUMENTS; i++) {
            request.append(i < arguments.length ? arguments[i] : "").append('\0');
        }
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(request.toString());
        channel.write(bytes);
        if (bytes.hasRemaining()) {
            throw new IOException("it takes no question of " + bytes.limit() + " bytes");
        }
    }

    private static void await(Selector selector, long endNs, Duration timeout) throws IOException {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
        if (leftMs <= 0) {
            throw new IOException("its answer has not ended within " + timeout.toSeconds() + " s");
        }
        selector.select(leftMs);
        selector.selectedKeys().clear();
    }

    @Override
    public void close() {
        tmp.close();
    }
}
