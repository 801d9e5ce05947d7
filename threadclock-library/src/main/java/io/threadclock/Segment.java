// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.nio.LongBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * One mount of a virtual thread: from a reading of its carrier's clock on, to another one, which whoever needs it first
 * decides by an exchange of {@link #end}. The protocol is in {@link ThreadAccount}. As a {@link Total}, what its carrier
 * offers for that exchange.
 *
 * <p>One that its carrier has ended is begun anew for the next mount, which otherwise would allocate one: on JDK 25 that took
 * half as long as a whole unmount and mount.
 */
class Segment extends Total {
    private static final AtomicReferenceFieldUpdater<Segment, Total> END =
            AtomicReferenceFieldUpdater.newUpdater(Segment.class, Total.class, "end");
    private static final AtomicIntegerFieldUpdater<Segment> VERSION =
            AtomicIntegerFieldUpdater.newUpdater(Segment.class, "version");
    private static final AtomicIntegerFieldUpdater<Segment> TID =
            AtomicIntegerFieldUpdater.newUpdater(Segment.class, "tid");
    private static final AtomicLongFieldUpdater<Segment> OFFSET_CPU_NS =
            AtomicLongFieldUpdater.newUpdater(Segment.class, "offsetCpuNs");
    private static final AtomicLongFieldUpdater<Segment> OFFSET_USER_NS =
            AtomicLongFieldUpdater.newUpdater(Segment.class, "offsetUserNs");

    /** A bit of the version: it is not begun anew, because others look at it, say. */
    private static final int SHARED = Integer.MIN_VALUE;

    /** Before the first mount. */
    static final Segment NONE = new Segment(NOTHING);

    /** Of a thread whose times nobody can tell any more. */
    static final Segment NO_MORE = new Segment(Total.LOST);

    /** The carrier's. Its own while this is open. */
    private volatile int tid;

    /** Odd while it is being begun anew. */
    private volatile int version;

    /** What lies before, if that was known at the start, less the carrier's clock then. */
    private volatile long offsetCpuNs;

    private volatile long offsetUserNs;

    /** Null or a {@link Total.Floor} while it is open; then the total up to its end. */
    private volatile Total end;

    private Segment(Total end) {
        this.end = end;
        this.version = SHARED;
    }

    private Segment(LongBuffer start, Total before, int version) {
        this.version = version;
        this.tid = (int) start.get(CarrierClock.TID);
        this.offsetCpuNs = before.cpuNs - start.get(CarrierClock.CPU);
        this.offsetUserNs = before.userNs - start.get(CarrierClock.USER);
    }

    /**
     * The segment after this one, on the calling carrier. If this one has not ended yet, the one before it has when this
     * returns.
     *
     * @param times for the carrier's clock
     */
    final Segment next(LongBuffer times, CarrierClock clock) {
        Total total = end;
        if (!isFinal(total)) {
            before(clock);
            clock.read(times);
            return new Overlapping(times, this);
        }
        if (total.isLost()) {
            return NO_MORE;
        }
        if (total == this && version >= 0) {
            beginAnew(times, clock);
            return this;
        }
        clock.read(times);
        return new Segment(times, total, 0);
    }

    /** The total stays in it until the next end. Each store is after the ones before it. */
    private void beginAnew(LongBuffer times, CarrierClock clock) {
        int odd = version + 1;
        VERSION.lazySet(this, odd);
        clock.read(times);
        TID.lazySet(this, (int) times.get(CarrierClock.TID));
        OFFSET_CPU_NS.lazySet(this, cpuNs - times.get(CarrierClock.CPU));
        OFFSET_USER_NS.lazySet(this, userNs - times.get(CarrierClock.USER));
        END.lazySet(this, null);
        VERSION.lazySet(this, (odd + 1) & ~SHARED);
    }

    /** False before the first mount, and from its end on. */
    final boolean isOpen() {
        return !isFinal(end);
    }

    final int version() {
        return version;
    }

    /** The version, with which it is not begun anew from now on, if it was not about to be. */
    final int share() {
        for (; ; ) {
            int seen = version;
            if (VERSION.compareAndSet(this, seen, seen | SHARED)) {
                return seen | SHARED;
            }
        }
    }

    /** Whether it has not been begun anew. All that was read of it was read before this. */
    final boolean isStill(int seen) {
        return VERSION.compareAndSet(this, seen, seen);
    }

    static boolean isBeingBegun(int version) {
        return (version & 1) != 0;
    }

    final long offsetCpuNs() {
        return offsetCpuNs;
    }

    final long offsetUserNs() {
        return offsetUserNs;
    }

    /** Without a carrier's clock, because that is another one by now, or is not to be read. */
    final void lose() {
        Total seen = end;
        while (!isFinal(seen) && !END.compareAndSet(this, seen, Total.LOST)) {
            seen = end;
        }
    }

    /** By its carrier, on which the thread is no more, and which does not touch it again. */
    void end(LongBuffer now, CarrierClock clock) {
        for (Total seen = end; !isFinal(seen); seen = end) {
            Total before = before(clock);
            clock.read(now);
            cpuNs = before.cpuNs + offsetCpuNs + now.get(CarrierClock.CPU);
            userNs = before.userNs + offsetUserNs + now.get(CarrierClock.USER);
            if (END.compareAndSet(this, seen, before.isLost() ? Total.LOST : this)) {
                return;
            }
        }
    }

    /**
     * The total up to now, as others read the carrier's clock, or up to its end if it has one. Null, and nothing has changed, if
     * the carrier's clock is not to be read.
     *
     * @param offer nobody else's; is published if it is taken. Then that is the end, if it is no {@link Total.Floor}
     */
    final Total tell(Total offer, CarrierClock clock) {
        for (; ; ) {
            Total seen = end;
            if (isFinal(seen)) {
                return seen;
            }
            Total before = before(clock);
            if (clock.observe(tid, offer) != 0) {
                if (isOpen()) {
                    return null;
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

    /** The total before it, if that is not in its offset, by the thread itself, which is mounted in it. Allocates nothing. */
    Total ownBefore(CarrierClock clock) {
        return NOTHING;
    }

    /** The same by anybody else. */
    Total before(CarrierClock clock) {
        return NOTHING;
    }

    private static boolean isFinal(Total end) {
        return end != null && !(end instanceof Floor);
    }

    /** One that began before the last one had ended. Never begun anew: its carrier touches it after its end. */
    private static final class Overlapping extends Segment {
        /** Null from its end on, so that segments do not hold one another. */
        private volatile Overlap overlap;

        Overlapping(LongBuffer start, Segment before) {
            super(start, NOTHING, SHARED);
            this.overlap = new Overlap(before);
        }

        @Override
        void end(LongBuffer now, CarrierClock clock) {
            super.end(now, clock);
            overlap = null;
        }

        @Override
        Total ownBefore(CarrierClock clock) {
            Overlap own = overlap;
            return own == null ? NOTHING : told(own, own, clock);
        }

        @Override
        Total before(CarrierClock clock) {
            Overlap seen = overlap;
            if (seen == null) {
                return NOTHING;
            }
            Total total = seen.before.end;
            return isFinal(total) ? total : told(seen, new Total(), clock);
        }

        private static Total told(Overlap overlap, Total offer, CarrierClock clock) {
            Total total = overlap.before.tell(offer, clock);
            if (total == null) {
                throw Accounting.unreadable();
            }
            return total;
        }
    }
}
