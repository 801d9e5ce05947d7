// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Writes to a server elsewhere in a thread of its own, so that the sampling thread never waits for the network. While
 * the server does not answer, samples are kept, as long as there is room; lost samples are counted and reported.
 */
public final class Sender implements SampleSink {
    private final ServerAddress address;
    private final Outbox outbox;
    private final Delivery delivery;
    private final Thread thread = new Thread(this::deliver, "sender");
    private volatile boolean isOver;

    private Sender(ServerAddress address, Time time) {
        this.address = address;
        this.outbox = new Outbox(address, time);
        this.delivery = new Delivery(outbox, new QuestDbServer(address), time);
        thread.setDaemon(true);
    }

    public static Sender to(ServerAddress address) {
        return to(address, Time.MACHINE);
    }

    static Sender to(ServerAddress address, Time time) {
        Sender sender = new Sender(address, time);
        sender.thread.start();
        return sender;
    }

    private void deliver() {
        try {
            delivery.run();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
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
        outbox.add(outbox.lines().add(gap));
        refuse();
    }

    @Override
    public void put(Throttling throttling) {
        outbox.add(outbox.lines().add(throttling));
        refuse();
    }

    @Override
    public void put(JvmName jvm, long wallUs, List<Sample.ThreadName> names) {
        outbox.add(outbox.lines().addNames(jvm, wallUs, names));
        refuse();
    }

    private void refuse() {
        if (delivery.refusal() != null) {
            throw delivery.refusal();
        }
    }

    @Override
    public String status() {
        String sent = String.format(Locale.ROOT, "%,d sent", outbox.sent());
        String waiting = isOver ? "" : String.format(Locale.ROOT, ", %,d waiting", outbox.waiting());
        return sent + waiting + (lostSamples() == 0 ? "" : String.format(Locale.ROOT, ", %,d LOST", lostSamples()));
    }

    @Override
    public String trouble() {
        if (delivery.trouble().isEmpty()) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                "%s does not take samples (%s): %,d wait, %,d are lost",
                address,
                delivery.trouble(),
                isOver ? 0 : outbox.waiting(),
                lostSamples());
    }

    @Override
    public long bytes() {
        return outbox.sentBytes();
    }

    @Override
    public long lostSamples() {
        return outbox.dropped() + (isOver ? outbox.waiting() : 0);
    }

    @Override
    public Optional<StoreFailure> loss() {
        if (lostSamples() == 0 && outbox.droppedNotes() == 0) {
            return Optional.empty();
        }
        String why = delivery.trouble().isEmpty() ? "it answers again" : delivery.trouble();
        String answer = String.format(
                Locale.ROOT,
                "%,d samples are lost, %,d of them as the buffer was full, %,d as it did not take them at the end; last: %s",
                lostSamples(),
                outbox.dropped(),
                lostSamples() - outbox.dropped(),
                why);
        String notes = outbox.droppedNotes() == 0 ? "" : ", and " + outbox.droppedNotes() + " names or gaps";
        return Optional.of(new StoreFailure("writing to " + address, answer + notes, delivery.remedy()));
    }

    @Override
    public void close() {
        outbox.close();
        try {
            thread.join(2 * Delivery.PATIENCE_MS + address.timeout().toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        isOver = true;
    }
}
