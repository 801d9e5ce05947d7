// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import io.threadclock.cli.process.Bounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The connection to the agent: one question, one answer. A question that was not answered yet stays open. The format is
 * that of native/src/main/c/serve/protocol.h.
 */
public final class AgentSocket implements AutoCloseable {
    static final int MAGIC = 0x31564354;
    static final String HUNG_UP = "the agent in it has hung up: it was detached, or too many look at once";
    static final String NO_AGENT = "what answers is no agent of this version";
    private static final int REQUEST_BYTES = 16;
    private static final int PREFIX_BYTES = 8;

    private final SocketChannel channel;
    private final Selector selector;
    private final long timeoutNs;
    private ByteBuffer received = ByteBuffer.allocate(1 << 14).order(ByteOrder.nativeOrder());
    private boolean isAsked;

    /** @param channel connected, not blocking; closed with this, or at once if this cannot be made */
    public AgentSocket(SocketChannel channel, Duration timeout) throws IOException {
        this.channel = channel;
        this.timeoutNs = timeout.toNanos();
        try {
            selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
        } catch (IOException refused) {
            channel.close();
            throw refused;
        }
    }

    /**
     * Returns the answer, from its first byte on. It is valid until the next question.
     *
     * @param named the number of the last known name
     */
    ByteBuffer exchange(long named) {
        try {
            if (!isAsked) {
                ask(named);
            }
            long endNs = System.nanoTime() + timeoutNs;
            while (!isWhole()) {
                receive(endNs);
            }
            isAsked = false;
            return received.flip();
        } catch (IOException broken) {
            throw new ProcessEnded(HUNG_UP);
        }
    }

    private void ask(long named) throws IOException {
        ByteBuffer request = ByteBuffer.allocate(REQUEST_BYTES).order(ByteOrder.nativeOrder());
        request.putInt(MAGIC).putInt(0).putLong(named).flip();
        while (request.hasRemaining()) {
            channel.write(request);
        }
        received.clear();
        isAsked = true;
    }

    private boolean isWhole() {
        return received.position() >= PREFIX_BYTES && received.position() >= length();
    }

    private int length() {
        int bytes = received.getInt(Integer.BYTES);
        if (received.getInt(0) != MAGIC || bytes < PREFIX_BYTES || bytes > Bounds.VIEW_REPLY_BYTES) {
            throw new ProcessEnded(NO_AGENT);
        }
        return bytes;
    }

    private void receive(long endNs) throws IOException {
        if (!received.hasRemaining()) { // the buffer grows with the bytes that have come, not with the claimed length
            ByteBuffer larger = ByteBuffer.allocate(2 * received.capacity()).order(ByteOrder.nativeOrder());
            received = larger.put(received.flip());
        }
        int bytes = channel.read(received);
        if (bytes < 0) {
            throw new ProcessEnded(HUNG_UP);
        }
        if (bytes == 0) {
            await(endNs);
        }
    }

    private void await(long endNs) throws IOException {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
        if (leftMs <= 0 || Thread.currentThread().isInterrupted()) {
            throw new ProcessSilent("it has not answered for " + TimeUnit.NANOSECONDS.toSeconds(timeoutNs) + " s");
        }
        selector.select(leftMs);
        selector.selectedKeys().clear();
    }

    @Override
    public void close() {
        try {
            selector.close();
            channel.close();
        } catch (IOException closedAlready) {
            return;
        }
    }
}
