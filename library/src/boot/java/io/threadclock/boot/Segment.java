// SPDX-License-Identifier: Apache-2.0
package io.threadclock.boot;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * One mount of a virtual thread: it begins at one reading of its carrier's clock and ends at another. The first thread
 * that needs the end decides it by an exchange of {@link #end}; {@link VirtualClock} describes the protocol. The fields
 * that this class inherits from {@link Total} hold the total that the carrier offers in that exchange.
 *
 * <p>A segment that its carrier has ended is used again for the next mount. To allocate a new one took half as long as
 * a whole unmount and mount, on JDK 25.
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

    /**
     * A bit of the version. The segment is not used again for another mount, for example because other threads look at
     * it.
     */
    private static final int SHARED = Integer.MIN_VALUE;

    /** The current segment of a thread whose total is lost for good. */
    static final Segment NO_MORE = new Segment(Total.LOST);

    /**
     * The number of bits of a tid: the kernel's PID_MAX_LIMIT is 2^22 on 64-bit machines, whatever pid_max is
     * (include/linux/threads.h, since 2.6).
     */
    private static final int TID_BITS = 22;

    private static final int TID_MASK = (1 << TID_BITS) - 1;

    /**
     * The tid of the carrier, which belongs to the carrier while this segment is open. Above it, if this is a
     * {@link VirtualClock}: its pool. A field of its own would make the clock larger by 8 bytes.
     */
    private volatile int tid;

    /** Odd while the segment is being prepared for its next mount. */
    private volatile int version;

    /** The total before this segment, if it was known at the start, minus the carrier's clock at the start. */
    private volatile long offsetCpuNs;

    private volatile long offsetUserNs;

    /** Null or a {@link Total.Floor} while the segment is open; afterwards the total up to its end. */
    private volatile Total end;

    private Segment(Total end) {
        this.end = end;
        this.version = SHARED;
    }

    /** Creates one that looks as if it had ended when its thread had used nothing: it is for the first mount. */
    Segment() {
        END.lazySet(this, this);
    }

    Segment(Carrier start, Total before, int version) {
        this.version = version;
        this.tid = start.tid;
        this.offsetCpuNs = before.cpuNs - start.cpuNs;
        this.offsetUserNs = before.userNs - start.userNs;
    }

    /**
     * Returns the segment after this one, on the calling carrier. If this one has not ended yet, the one before it has
     * ended when this method returns.
     *
     * @param carrier the calling thread
     * @param begins the pool of the thread, with the bits of {@link VirtualPools}
     */
    final Segment next(Carrier carrier, CarrierClock clock, int begins) {
        Total total = end;
        if (!isFinal(total)) {
            before(clock);
            clock.read(carrier, begins);
            return new Overlapping(carrier, this);
        }
        if (total.isLost()) {
            return NO_MORE;
        }
        if (total == this && version >= 0) {
            beginAnew(carrier, clock, begins);
            return this;
        }
        clock.read(carrier, begins);
        return new Segment(carrier, total, 0);
    }

    /**
     * Prepares this segment for its next mount. The inherited fields keep the total until the next end. Each store is
     * ordered after the stores before it.
     */
    private void beginAnew(Carrier carrier, CarrierClock clock, int begins) {
        int odd = version + 1;
        VERSION.lazySet(this, odd);
        clock.read(carrier, begins);
        TID.lazySet(this, carrier.tid | tid & ~TID_MASK);
        OFFSET_CPU_NS.lazySet(this, cpuNs - carrier.cpuNs);
        OFFSET_USER_NS.lazySet(this, userNs - carrier.userNs);
        END.lazySet(this, null);
        VERSION.lazySet(this, (odd + 1) & ~SHARED);
    }

    /** The pool of the thread, if this is its clock; 0 if it is not known. */
    final int pool() {
        return tid >>> TID_BITS;
    }

    /** Only a carrier calls this, before the first segment begins. */
    final void setPool(int pool) {
        TID.lazySet(this, tid & TID_MASK | pool << TID_BITS);
    }

    /** False before the first mount, and after the end. */
    final boolean isOpen() {
        return !isFinal(end);
    }

    final int version() {
        return version;
    }

    /**
     * Returns the version, marked so that the segment is not used again for another mount, unless that has begun
     * already.
     */
    final int share() {
        for (; ; ) {
            int seen = version;
            if (VERSION.compareAndSet(this, seen, seen | SHARED)) {
                return seen | SHARED;
            }
        }
    }

    /** Whether the segment is still the same mount. All that was read of it was read before this check. */
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

    /**
     * Ends the segment without a reading, because its carrier's clock cannot be read or now belongs to another thread.
     */
    final void lose() {
        Total seen = end;
        while (!isFinal(seen) && !END.compareAndSet(this, seen, Total.LOST)) {
            seen = end;
        }
    }

    /**
     * Ends the segment. Its carrier calls this when the thread has left it, and does not touch the segment again.
     *
     * @param begins the carrier's rest, and a bit of {@link VirtualPools} if the thread has ended
     */
    void end(Carrier carrier, CarrierClock clock, int begins) {
        boolean isBooked = false;
        for (Total seen = end; !isFinal(seen); seen = end) {
            Total before = before(clock);
            clock.read(carrier, isBooked ? VirtualPools.REST : begins);
            isBooked = true;
            cpuNs = before.cpuNs + offsetCpuNs + carrier.cpuNs;
            userNs = before.userNs + offsetUserNs + carrier.userNs;
            if (END.compareAndSet(this, seen, before.isLost() ? Total.LOST : this)) {
                return;
            }
        }
        if (!isBooked) { // another thread has ended it
            clock.read(carrier, begins);
        }
    }

    /**
     * Returns the total up to now, for which it reads the carrier's clock from another thread, or the total up to the
     * end if there is one. Returns null, and changes nothing, if the carrier's clock cannot be read.
     *
     * @param offer an object that nobody else has. If the exchange succeeds, it is published; it is then the end unless
     *     it is a {@link Total.Floor}
     */
    final Total tell(Total offer, CarrierClock clock) {
        for (; ; ) {
            Total seen = end;
            if (isFinal(seen)) {
                return seen;
            }
            Total before = before(clock);
            if (clock.observe(tid & TID_MASK, offer) != 0) {
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

    /**
     * The total before this segment, if the offset does not contain it. Only the thread that is mounted in the segment
     * calls this. Allocates nothing.
     */
    Total ownBefore(CarrierClock clock) {
        return NOTHING;
    }

    /** The total before this segment, if the offset does not contain it; for all other threads. */
    Total before(CarrierClock clock) {
        return NOTHING;
    }

    private static boolean isFinal(Total end) {
        return end != null && !(end instanceof Floor);
    }

    /**
     * A segment that began before the last one had ended. It is never used again, because its carrier touches it after
     * its end.
     */
    private static final class Overlapping extends Segment {
        /** Null after the end, so that segments do not keep one another in memory. */
        private volatile Overlap overlap;

        Overlapping(Carrier start, Segment before) {
            super(start, NOTHING, SHARED);
            this.overlap = new Overlap(before);
        }

        @Override
        void end(Carrier carrier, CarrierClock clock, int begins) {
            super.end(carrier, clock, begins);
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
                throw VirtualClock.unreadable();
            }
            return total;
        }
    }
}
