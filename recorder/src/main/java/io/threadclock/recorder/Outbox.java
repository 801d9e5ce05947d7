// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;

/**
 * The lines to send, as long as there is room for them. If there is none, the oldest samples are dropped and counted,
 * and a gap tells of them. Names and gaps are dropped last: they are small, and later samples cannot be read without
 * them. Thread-safe.
 */
final class Outbox {
    /** The most bytes of one request. */
    private static final int MOST_BATCH_BYTES = 4 << 20;

    private record Piece(byte[] lines, JvmName jvm, long beginUs, long endUs) {}

    /** The lines of one request; none at the end. */
    record Batch(byte[] lines, int samples) {
        boolean isEmpty() {
            return lines.length == 0;
        }
    }

    /**
     * @param sent samples that have arrived
     * @param waiting samples that have not arrived yet
     * @param dropped samples for which there was no room
     * @param droppedNotes names, gaps and times of throttling for which there was no room
     */
    record Counts(long sent, long sentBytes, long waiting, long dropped, long droppedNotes) {}

    private final String prefix;
    private final long mostBytes;
    private final long collectMs;
    private final Time time;
    private final ArrayDeque<Piece> samples = new ArrayDeque<>();
    private final ArrayDeque<byte[]> notes = new ArrayDeque<>();
    private long bytes;
    private int inFlight;
    private Gap overflow;
    private long sent;
    private long sentBytes;
    private long dropped;
    private long droppedNotes;
    private boolean isClosed;
    private long closedMs;

    Outbox(ServerAddress address, Time time) {
        this.prefix = address.prefix();
        this.mostBytes = address.bufferBytes();
        this.collectMs = address.flushInterval().toMillis();
        this.time = time;
    }

    synchronized void add(Sample sample) {
        addNote(lines().addNames(sample.jvm(), sample.wallUs(), sample.names()).bytes());
        long beginUs = sample.wallUs() - sample.elapsedUs();
        Piece piece = new Piece(lines().addTimes(sample).bytes(), sample.jvm(), beginUs, sample.wallUs());
        samples.add(piece);
        bytes += piece.lines.length;
        makeRoom();
        notifyAll();
    }

    synchronized void add(LineProtocol note) {
        addNote(note.bytes());
        makeRoom();
        notifyAll();
    }

    /** For the lines of one addition. */
    LineProtocol lines() {
        return new LineProtocol(prefix);
    }

    private void addNote(byte[] lines) {
        if (lines.length > 0) {
            notes.add(lines);
            bytes += lines.length;
        }
    }

    private void makeRoom() {
        while (bytes > mostBytes && samples.size() + notes.size() > 1) {
            if (samples.isEmpty()) {
                bytes -= notes.remove().length;
                droppedNotes++;
            } else {
                drop(samples.remove());
            }
        }
    }

    private void drop(Piece oldest) {
        bytes -= oldest.lines.length;
        dropped++;
        overflow = overflow == null
                ? new Gap(oldest.jvm, oldest.beginUs, oldest.endUs, Gap.Reason.OVERFLOW, 1)
                : new Gap(
                        oldest.jvm, overflow.beginUs(), oldest.endUs, Gap.Reason.OVERFLOW, overflow.lostSamples() + 1);
    }

    /** Waits until there is something, and then a while for more; returns nothing once it is closed and empty. */
    synchronized Batch take() throws InterruptedException {
        while (samples.isEmpty() && notes.isEmpty() && !isClosed) {
            time.await(this, 0);
        }
        long endMs = time.ms() + collectMs;
        while (bytes < MOST_BATCH_BYTES && !isClosed && time.ms() < endMs) {
            time.await(this, endMs - time.ms());
        }
        if (overflow != null) {
            addNote(lines().add(overflow).bytes());
            overflow = null;
        }
        return fill();
    }

    private Batch fill() {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        while (!notes.isEmpty() && fits(notes.peek(), lines)) {
            lines.writeBytes(notes.remove());
        }
        while (!samples.isEmpty() && fits(samples.peek().lines, lines)) {
            lines.writeBytes(samples.remove().lines);
            inFlight++;
        }
        bytes -= lines.size();
        return new Batch(lines.toByteArray(), inFlight);
    }

    private static boolean fits(byte[] piece, ByteArrayOutputStream lines) {
        return lines.size() == 0 || lines.size() + piece.length <= MOST_BATCH_BYTES;
    }

    synchronized void arrived(Batch batch) {
        sent += inFlight;
        sentBytes += batch.lines.length;
        inFlight = 0;
    }

    /** @return whether it was closed meanwhile, which shortens the pause */
    synchronized boolean pause(long ms) throws InterruptedException {
        boolean wasClosed = isClosed;
        long endMs = time.ms() + ms;
        while (time.ms() < endMs && isClosed == wasClosed) {
            time.await(this, endMs - time.ms());
        }
        return isClosed != wasClosed;
    }

    synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            closedMs = time.ms();
            notifyAll();
        }
    }

    /** Whether it was closed at least this long ago. */
    synchronized boolean isClosedSince(long ms) {
        return isClosed && time.ms() - closedMs >= ms;
    }

    synchronized Counts counts() {
        return new Counts(sent, sentBytes, samples.size() + inFlight, dropped, droppedNotes);
    }
}
