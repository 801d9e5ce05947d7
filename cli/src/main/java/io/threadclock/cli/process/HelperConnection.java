// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * One connection to a helper: one request, its replies. Replies to former requests, which were not awaited, are passed
 * over. The format is that of native/src/main/c/helper/command.h. Only one thread may use it at a time.
 */
final class HelperConnection implements Closeable {
    private static final int HEAD_BYTES = 2 * Integer.BYTES;
    private static final String STOPPED = "threadclock-helper has been stopped";
    static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    /** The encoding in which {@link Path} gives names to the kernel. */
    private static final Charset OF_PATHS = Charset.forName(System.getProperty("sun.jnu.encoding"));

    private final SocketChannel channel;
    private final Selector selector;
    private final ByteBuffer received =
            ByteBuffer.allocate(HEAD_BYTES + Bounds.HELPER_FRAME_BYTES).order(ByteOrder.nativeOrder());
    private int request;

    /** @param channel not blocking; closed with this */
    HelperConnection(SocketChannel channel) throws IOException {
        this.channel = channel;
        selector = Selector.open();
        channel.register(selector, SelectionKey.OP_READ);
    }

    static long end(Duration timeout) {
        return System.nanoTime() + timeout.toNanos();
    }

    /** @param rest what follows the words */
    void request(long endNs, ByteBuffer rest, List<String> words) throws IOException {
        ByteBuffer said =
                OF_PATHS.encode(words.stream().map(word -> word + "\0").collect(Collectors.joining()));
        int bytes = said.remaining() + rest.remaining();
        if (bytes > Bounds.HELPER_REQUEST_BYTES) {
            throw new IOException("so long a request is sent to no process");
        }
        ByteBuffer whole = ByteBuffer.allocate(Integer.BYTES + bytes).order(ByteOrder.nativeOrder());
        send(endNs, whole.putInt(bytes).put(said).put(rest).flip());
        request++;
    }

    /** Has the helper take nothing more from a process that answers still. */
    private void giveUp() throws IOException {
        request(end(Duration.ofSeconds(1)), NOTHING, List.of());
    }

    void send(long endNs, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                if (System.nanoTime() - endNs > 0 || Thread.currentThread().isInterrupted()) {
                    throw new Helper.Late();
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1) / 4);
            }
        }
    }

    /**
     * The next reply.
     *
     * @param timeout what its content may take, once it has begun
     * @param most that is taken of the content, and less than a frame more
     */
    HelperReply reply(long endNs, Path file, Duration timeout, int most) throws IOException {
        String line = new String(frame(endNs), StandardCharsets.US_ASCII);
        return HelperReply.of(line, file, content(end(timeout), most));
    }

    private Optional<byte[]> content(long endNs, int most) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try {
            byte[] frame = frame(endNs);
            while (frame.length > 0) {
                if (all.size() >= most) {
                    giveUp();
                    break;
                }
                all.write(frame);
                frame = frame(endNs);
            }
            return Optional.of(all.toByteArray());
        } catch (Helper.Late late) {
            giveUp();
            return Optional.empty();
        }
    }

    private byte[] frame(long endNs) throws IOException {
        while (true) {
            while (!isWhole()) {
                receive(endNs);
            }
            received.flip();
            int number = received.getInt();
            byte[] bytes = new byte[received.getInt()];
            received.get(bytes).compact();
            if (number == request) {
                return bytes;
            }
        }
    }

    private boolean isWhole() throws IOException {
        if (received.position() < HEAD_BYTES) {
            return false;
        }
        int bytes = received.getInt(Integer.BYTES);
        if (bytes < 0 || bytes > Bounds.HELPER_FRAME_BYTES) {
            throw new IOException("what answers is no threadclock-helper of this version");
        }
        return received.position() >= HEAD_BYTES + bytes;
    }

    private void receive(long endNs) throws IOException {
        int bytes = read();
        while (bytes == 0) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
            if (leftMs <= 0 || Thread.currentThread().isInterrupted()) {
                throw new Helper.Late();
            }
            await(leftMs);
            bytes = read();
        }
        if (bytes < 0) {
            throw new IOException(STOPPED);
        }
    }

    private void await(long mostMs) throws IOException {
        try {
            selector.select(mostMs);
            selector.selectedKeys().clear();
        } catch (ClosedSelectorException closed) { // by another thread, which ends the helper
            throw new IOException(STOPPED, closed);
        }
    }

    /** A helper that ends before it has taken all is at its end, too. */
    private int read() throws IOException {
        try {
            return channel.read(received);
        } catch (SocketException reset) {
            return -1;
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
