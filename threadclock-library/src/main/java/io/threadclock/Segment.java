// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.nio.LongBuffer;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * One mount of a virtual thread: from a reading of its carrier's clock on, to another one, which whoever needs it first
 * decides by an exchange of {@link #end}. The protocol is in {@link ThreadAccount}. As a {@link Total}, what its carrier
 * offers for that exchange.
 */
final class Segment extends Total {
    private static final AtomicReferenceFieldUpdater<Segment, Total> END =
            AtomicReferenceFieldUpdater.newUpdater(Segment.class, Total.class, "end");

    /** Before the first mount. */
    static final Segment NONE = new Segment(NOTHING);

    /** Of a thread whose times nobody can tell any more. */
    static final Segment NO_MORE = new Segment(Total.LOST);

    /** The carrier's. Its own while this is open. */
    private final int tid;

    /** What lies before, if that was known at the start, less the carrier's clock then. */
    final long offsetCpuNs;

    final long offsetUserNs;

    /** Null if what lies before is in the offset, or when this has ended. */
    private volatile Overlap overlap;

    /** Null or a {@link Total.Floor} while it is open; then the total up to its end. */
    private volatile Total end;

    private Segment(Total end) {
        this.tid = 0;
        this.offsetCpuNs = 0;
        this.offsetUserNs = 0;
        this.end = end;
    }

    private Segment(LongBuffer start, Total before, Overlap overlap) {
        this.tid = (int) start.get(CarrierClock.TID);
        this.offsetCpuNs = before.cpuNs - start.get(CarrierClock.CPU);
        this.offsetUserNs = before.userNs - start.get(CarrierClock.USER);
        this.overlap = overlap;
    }

    /**
     * The segment after this one, on the calling carrier. If this one has not ended yet, the one before it has when this
     * returns.
     *
     * @param start the carrier's clock
     */
    Segment next(LongBuffer start, CarrierClock clock) {
        Total total = end;
        if (isFinal(total)) {
            return total.isLost() ? NO_MORE : new Segment(start, total, null);
        }
        before(clock);
        return new Segment(start, NOTHING, new Overlap(this));
    }

    /** False before the first mount, and from its end on. */
    boolean isOpen() {
        return !isFinal(end);
    }

    /** Without a carrier's clock, because that is another one by now, or is not to be read. */
    void lose() {
        Total seen = end;
        while (!isFinal(seen) && !END.compareAndSet(this, seen, Total.LOST)) {
            seen = end;
        }
    }

    /** By its carrier, on which the thread is no more. */
    void end(LongBuffer now, CarrierClock clock) {
        for (Total seen = end; !isFinal(seen); seen = end) {
            Total before = before(clock);
            clock.read(now);
            cpuNs = before.cpuNs + offsetCpuNs + now.get(CarrierClock.CPU);
            userNs = before.userNs + offsetUserNs + now.get(CarrierClock.USER);
            if (END.compareAndSet(this, seen, before.isLost() ? Total.LOST : this)) {
                break;
            }
        }
        if (overlap != null) {
            overlap = null;
        }
    }

    /**
     * The total up to now, as others read the carrier's clock, or up to its end if it has one.
     *
     * @param offer nobody else's; is published if it is taken. Then that is the end, if it is no {@link Total.Floor}
     */
    Total tell(Total offer, CarrierClock clock) {
        for (;;) {
            Total seen = end;
            if (isFinal(seen)) {
                return seen;
            }
            Total before = before(clock);
            int error = clock.observe(tid, offer);
            if (error != 0) {
                if (isOpen()) {
                    throw ThreadClock.refused(error);
                }
                continue;
            }
            offer.cpuNs += before.cpuNs + offsetCpuNs;
            offer.userNs += before.userNs + offsetUserNs;
            Total told = before.isLost() ? Total.LOST : offer;
            if (END.compareAndSet(this, seen, told)) {
                return told;
            }
        }
    }

    /** The total before it, by the thread itself, which is mounted in this segment. Allocates nothing. */
    Total ownBefore(CarrierClock clock) {
        Overlap own = overlap;
        return own == null ? NOTHING : own.before.tell(own, clock);
    }

    /** The total before it, if that is not in its offset, by anybody else. */
    private Total before(CarrierClock clock) {
        Overlap seen = overlap;
        if (seen == null) {
            return NOTHING;
        }
        Total total = seen.before.end;
        return isFinal(total) ? total : seen.before.tell(new Total(), clock);
    }

    private static boolean isFinal(Total end) {
        return end != null && !(end instanceof Floor);
    }
}
