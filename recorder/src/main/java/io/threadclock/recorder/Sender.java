// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Writes to a server elsewhere in a thread of its own, so that the sampling thread never waits for the network. Each
 * batch is sent again, less and less often, until it has arrived. Meanwhile, samples are kept, as long as there is
 * room; lost samples are counted and reported.
 */
public final class Sender implements SampleSink {
    private static final long NEVER = -1;
    private static final String START = "Start it, or give more room by buffer_mb=.";
    private static final long FIRST_PAUSE_MS = 100;
    private static final long LONGEST_PAUSE_MS = 5_000;
    /** The patience at the end, for the rest of the outbox. */
    private static final long PATIENCE_MS = 10_000;
    /** The patience at the begin, if the server answers and refuses access. Most likely the text of --to is wrong. */
    private static final long LOCKED_OUT_MS = 60_000;

    private final ServerAddress address;
    private final QuestDbServer server;
    private final Time time;
    private final Outbox outbox;
    private final Thread thread = new Thread(this::deliver, "sender");
    private boolean hasTables;
    private boolean hasArrived;
    private long lockedOutSinceMs = NEVER;
    /** Why the last attempt has failed; null if it has not. */
    private volatile StoreFailure trouble;
    /** The server will never accept what there is. */
    private volatile boolean isRefused;

    private volatile boolean isOver;

    /** Does not deliver yet. */
    Sender(ServerAddress address, Time time) {
        this.address = address;
        this.server = new QuestDbServer(address);
        this.time = time;
        this.outbox = new Outbox(address, time);
        thread.setDaemon(true);
    }

    public static Sender to(ServerAddress address) {
        Sender sender = new Sender(address, Time.MACHINE);
        sender.thread.start();
        return sender;
    }

    /** Returns when it is closed and all has arrived, or was closed long ago, or the server will never accept it. */
    void deliver() {
        try {
            Outbox.Batch batch = outbox.take();
            while (!batch.isEmpty() && arrives(batch)) {
                batch = outbox.take();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean arrives(Outbox.Batch batch) throws InterruptedException {
        long pauseMs = FIRST_PAUSE_MS;
        while (!arrivesNow(batch)) {
            if (isRefused || outbox.isClosedSince(PATIENCE_MS)) {
                return false;
            }
            boolean isClosing = outbox.pause(pauseMs);
            pauseMs = isClosing ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
        }
        return true;
    }

    /** A user who may write need not be allowed to create tables. The server then creates them in its own way. */
    private boolean arrivesNow(Outbox.Batch batch) throws InterruptedException {
        try {
            hasTables = hasTables || server.createTables();
            Optional<QuestDbServer.Refusal> refusal = server.write(batch.lines());
            if (refusal.isPresent()) {
                trouble = refusal.get().failure();
                isRefused = !refusal.get().isOfAccess() || isLockedOutForGood();
                return false;
            }
        } catch (IOException noAnswer) {
            trouble = new StoreFailure("writing to " + address, noAnswer.getMessage(), START);
            return false;
        }
        outbox.arrived(batch);
        hasTables = true;
        hasArrived = true;
        trouble = null;
        return true;
    }

    /** A server that has given access before will do so again. */
    private boolean isLockedOutForGood() {
        lockedOutSinceMs = lockedOutSinceMs == NEVER ? time.ms() : lockedOutSinceMs;
        return !hasArrived && time.ms() - lockedOutSinceMs >= LOCKED_OUT_MS;
    }

    /** Does not ask for what others have written. */
    @Override
    public OptionalLong lastSampleUs(JvmName jvm) {
        return OptionalLong.empty();
    }

    /** @throws StoreFailure if the server has refused earlier samples, and would refuse these, too */
    @Override
    public void put(Sample sample) {
        outbox.add(sample);
        refuse();
    }

    @Override
    public void put(Gap gap) {
        put(outbox.lines().add(gap));
    }

    @Override
    public void put(Throttling throttling) {
        put(outbox.lines().add(throttling));
    }

    @Override
    public void put(JvmName jvm, long wallUs, List<Sample.ThreadName> names) {
        put(outbox.lines().addNames(jvm, wallUs, names));
    }

    private void put(LineProtocol note) {
        outbox.add(note);
        refuse();
    }

    private void refuse() {
        if (isRefused) {
            throw trouble;
        }
    }

    @Override
    public String status() {
        Outbox.Counts counts = outbox.counts();
        String sent = String.format(Locale.ROOT, "%,d sent", counts.sent());
        String waiting = isOver ? "" : String.format(Locale.ROOT, ", %,d waiting", counts.waiting());
        return sent + waiting + (lostSamples() == 0 ? "" : String.format(Locale.ROOT, ", %,d LOST", lostSamples()));
    }

    @Override
    public String trouble() {
        StoreFailure last = trouble;
        if (last == null) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                "%s does not take samples (%s): %,d wait, %,d are lost",
                address,
                last.answer(),
                isOver ? 0 : outbox.counts().waiting(),
                lostSamples());
    }

    @Override
    public long bytes() {
        return outbox.counts().sentBytes();
    }

    @Override
    public long lostSamples() {
        Outbox.Counts counts = outbox.counts();
        return counts.dropped() + (isOver ? counts.waiting() : 0);
    }

    @Override
    public Optional<StoreFailure> loss() {
        Outbox.Counts counts = outbox.counts();
        if (lostSamples() == 0 && counts.droppedNotes() == 0) {
            return Optional.empty();
        }
        StoreFailure last = Optional.ofNullable(trouble).orElse(new StoreFailure("", "it answers again", START));
        String answer = String.format(
                Locale.ROOT,
                "%,d samples are lost, %,d of them as the buffer was full, %,d as it did not take them at the end; last: %s",
                lostSamples(),
                counts.dropped(),
                lostSamples() - counts.dropped(),
                last.answer());
        String notes = counts.droppedNotes() == 0 ? "" : ", and " + counts.droppedNotes() + " names or gaps";
        return Optional.of(new StoreFailure("writing to " + address, answer + notes, last.remedy()));
    }

    @Override
    public void close() {
        outbox.close();
        try {
            thread.join(2 * PATIENCE_MS + address.timeout().toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        isOver = true;
    }
}
