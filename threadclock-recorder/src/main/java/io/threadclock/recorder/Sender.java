// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Writes to a server elsewhere, by a thread of its own: the one that samples never waits for the network. While the server
 * does not answer samples are kept, and it is tried again, less and less often; when there is no more room the oldest go,
 * are counted, and are told of as a gap.
 */
public final class Sender implements Sink {
    private static final long FIRST_PAUSE_MS = 100;
    private static final long LONGEST_PAUSE_MS = 5_000;
    /** In one request. */
    private static final int MOST_BATCH_BYTES = 4 << 20;
    /** At the end, for what is still in the buffer. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    /** So often at most, so that a request has more than one sample in it. */
    private static final long COLLECT_MS = 200;

    private record Piece(byte[] lines, JvmName jvm, long wallUs, boolean isSample) {}

    private final Server server;
    private final Address address;
    private final Thread thread = new Thread(this::send, "sender");
    private final ArrayDeque<Piece> buffer = new ArrayDeque<>();
    private long bufferedBytes;
    private Gap overflow;
    private long sent;
    private long inFlight;
    private long dropped;
    private String trouble = "";
    private boolean isClosing;
    private long closingNs;
    private StoreFailure refusal;

    private Sender(Address address) {
        this.address = address;
        this.server = new Server(address);
        thread.setDaemon(true);
    }

    public static Sender to(Address address) {
        Sender sender = new Sender(address);
        sender.thread.start();
        return sender;
    }

    /** What others have written is not asked for. */
    @Override
    public OptionalLong lastSampleUs(JvmName jvm) {
        return OptionalLong.empty();
    }

    @Override
    public void put(Sample sample) {
        put(new Piece(new Lines(address.prefix()).add(sample).bytes(), sample.jvm(), sample.wallUs(), true));
    }

    @Override
    public void put(Gap gap) {
        put(new Piece(new Lines(address.prefix()).add(gap).bytes(), gap.jvm(), gap.beginUs(), false));
    }

    private synchronized void put(Piece piece) {
        if (refusal != null) {
            throw refusal;
        }
        buffer.add(piece);
        bufferedBytes += piece.lines.length;
        while (bufferedBytes > address.bufferBytes() && buffer.size() > 1) {
            drop(buffer.remove());
        }
        notifyAll();
    }

    private void drop(Piece oldest) {
        bufferedBytes -= oldest.lines.length;
        if (oldest.isSample) {
            dropped++;
            long beginUs = overflow == null ? oldest.wallUs : overflow.beginUs();
            long lost = overflow == null ? 1 : overflow.lostSamples() + 1;
            overflow = new Gap(oldest.jvm, beginUs, oldest.wallUs, Gap.Reason.OVERFLOW, lost);
        }
    }

    private void send() {
        try {
            boolean hasTables = false;
            long pauseMs = FIRST_PAUSE_MS;
            for (byte[] batch = take(); batch.length > 0; ) {
                try {
                    if (!hasTables) {
                        server.createTables();
                        hasTables = true;
                    }
                    server.write(batch);
                    pauseMs = FIRST_PAUSE_MS;
                    batch = take();
                } catch (IOException noAnswer) {
                    tell(noAnswer);
                    pause(pauseMs);
                    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
                    if (isOver()) {
                        return;
                    }
                }
            }
        } catch (StoreFailure refused) {
            fail(refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** As many as one request has; empty at the end. What is taken is sent until it has arrived. */
    private synchronized byte[] take() throws InterruptedException {
        trouble = "";
        sent += inFlight;
        inFlight = 0;
        while (buffer.isEmpty() && !isClosing) {
            wait();
        }
        if (!isClosing) {
            wait(COLLECT_MS);
        }
        Lines gap = new Lines(address.prefix());
        if (overflow != null) {
            gap.add(overflow);
            overflow = null;
        }
        ByteArrayOutputStream batch = new ByteArrayOutputStream();
        batch.writeBytes(gap.bytes());
        while (!buffer.isEmpty() && (batch.size() == 0 || batch.size() + buffer.peek().lines.length <= MOST_BATCH_BYTES)) {
            Piece piece = buffer.remove();
            bufferedBytes -= piece.lines.length;
            batch.writeBytes(piece.lines);
            inFlight += piece.isSample ? 1 : 0;
        }
        return batch.toByteArray();
    }

    private synchronized void tell(IOException noAnswer) {
        String message = noAnswer.getMessage();
        trouble = message == null ? noAnswer.getClass().getSimpleName() : message;
    }

    private synchronized void fail(StoreFailure refused) {
        refusal = refused;
        notifyAll();
    }

    private synchronized void pause(long ms) throws InterruptedException {
        if (!isClosing) {
            long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
            for (long leftMs = ms; leftMs > 0 && !isClosing; leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime())) {
                wait(leftMs);
            }
        } else {
            wait(FIRST_PAUSE_MS);
        }
    }

    private synchronized boolean isOver() {
        return isClosing && System.nanoTime() - closingNs > PATIENCE_NS;
    }

    @Override
    public synchronized String status() {
        return String.format(
                Locale.ROOT,
                "%,d sent, %,d waiting%s%s",
                sent,
                buffer.size() + inFlight,
                dropped == 0 ? "" : String.format(Locale.ROOT, ", %,d DROPPED as the buffer was full", dropped),
                trouble.isEmpty() ? "" : ", " + address + " does not answer (" + trouble + ")");
    }

    @Override
    public synchronized long lostSamples() {
        return dropped + (thread.isAlive() ? 0 : buffer.stream().filter(Piece::isSample).count() + inFlight);
    }

    @Override
    public void close() {
        synchronized (this) {
            closingNs = isClosing ? closingNs : System.nanoTime();
            isClosing = true;
            notifyAll();
        }
        try {
            thread.join(TimeUnit.NANOSECONDS.toMillis(2 * PATIENCE_NS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
