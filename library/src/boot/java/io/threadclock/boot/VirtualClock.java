// SPDX-License-Identifier: Apache-2.0
package io.threadclock.boot;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * The cost of one virtual thread: the sum of its segments. It takes the place of the Runnable by which the JDK runs the
 * thread. Therefore it is reached through the thread, needs no table, and is collected with it. The segment of the
 * first mount is the clock itself, so that most threads need no other object.
 *
 * <p>All classes of this package belong to the boot loader, so that one JVM has one kind of these clocks, whoever makes
 * it, and everyone reads it: {@link VirtualClocks} has what others call.
 *
 * <p>A segment is one mount. It begins at a reading p of its carrier's clock and ends at a reading e. The total up to
 * its end is the total before it + e - p. A reading in it is the total before it + the carrier's clock now - p. A point
 * is the CPU and user time of one reading.
 *
 * <h2>Assumptions</h2>
 *
 * <ol>
 *   <li>Every mount of the thread is one call of this {@code run()}, by its carrier, which is a platform thread and
 *       does nothing else until it returns. (A scheduler that runs another virtual thread inside of it breaks this
 *       assumption: see G5.)
 *   <li>The segments of a thread follow one another: the thread is in its next segment only when it has left the last
 *       one. But {@code run()} of the last one may return later, even much later, because the thread is submitted again
 *       before it returns.
 *   <li>All readings of one carrier's clock, by itself and by others, are one sequence: a reading that begins after
 *       another one has ended returns no less CPU time and no less user time, and user time grows by no more than CPU
 *       time ({@code threadclock.h}).
 *   <li>A carrier does not end inside of {@code run()}; until then its tid is its own.
 *   <li>All that a thread has done in one mount happens before its next mount.
 * </ol>
 *
 * <h2>Protocol</h2>
 *
 * One exchange changes the field {@code end} of a segment from open (null) to a total, for good. The thread that
 * exchanges it (the carrier when {@code run()} returns; the thread itself when it reads in the next segment and finds
 * this one open; others that read it; the next mount but one) does three things in this order: it loads the field,
 * reads the carrier's clock, and exchanges the field if it has not changed since. The field refers to an object with
 * the total, which is written before the exchange, and not after it until the segment is used again. Other threads that
 * read an open segment also exchange the field, for a floor: the segment stays open, but has a total that somebody has
 * been told.
 *
 * <p>A segment is used again for the next mount if its end is the total that its carrier has offered. The carrier then
 * does not touch it any more, and the thread is not in a next segment from which it would end this one. Only other
 * threads may still look at it. They read the version before and after. If it differs, they have mixed two mounts, and
 * have at most exchanged a floor or null for a floor, whose times nobody uses; they read again, and mark the segment as
 * shared, so that the next mount takes another one. If the version is odd, the segment is just being prepared for a
 * mount, and its total up to the last mount, which it still holds, is the answer. A segment that overlaps the next one
 * is not used again, because it is no longer the current one.
 *
 * <h2>Guarantees</h2>
 *
 * <ol>
 *   <li>A segment has one total for all who need it, from the moment when somebody first needs it.
 *   <li>Readings of a thread, by itself and by others, are one sequence, as A3 says of a clock. This holds for three
 *       reasons. Points lie in the order of their exchanges, because each was read after the one before was loaded
 *       (A3). The thread's own readings in a segment are over before the next segment begins (A2), and the end is read
 *       after them, by the carrier or by somebody who has seen the next segment. Totals are sums of pieces of curves,
 *       none of which falls, or rises faster in user time than in CPU time.
 *   <li>A segment contains nothing that its carrier does before {@code run()} begins or after it has returned, and no
 *       two segments of one carrier overlap. The sum of all virtual clocks is at most the carriers' CPU time.
 *   <li>No reading waits for another thread. A reading whose exchange fails starts again, because another thread has
 *       made progress.
 *   <li>A mount that breaks A1, or a clock that cannot be read, makes the total lost: from then on readings are
 *       refused, instead of wrong.
 *   <li>A thread that reads itself allocates nothing; neither does a mount that begins after the end of the last one,
 *       unless others read the thread at that moment. The clock holds only the last segment, the one before it while
 *       that is open, and the ends of both.
 * </ol>
 */
class VirtualClock extends Segment implements Runnable {
    private static final AtomicReferenceFieldUpdater<VirtualClock, Segment> CURRENT =
            AtomicReferenceFieldUpdater.newUpdater(VirtualClock.class, Segment.class, "current");

    private final Runnable original;

    /** The segment of the last mount, or this one before the first. */
    private volatile Segment current;

    VirtualClock(Runnable original) {
        this.original = original;
        CURRENT.lazySet(this, this);
    }

    /** The clock of the carriers. It is no field, because a million of them need memory. */
    CarrierClock clock() {
        return NativeCarrierClock.NATIVE;
    }

    /**
     * Whether the calling thread, which this clock belongs to, can be read. It cannot if the JDK has mounted it
     * otherwise than by {@link #run()}.
     */
    boolean isMounted() {
        return current.isOpen();
    }

    final Segment current() {
        return current;
    }

    /** Runs one mount. No failure of the clock keeps the thread from running. */
    @Override
    public void run() {
        try {
            Carrier carrier = begin();
            try {
                original.run();
            } finally {
                if (carrier != null) {
                    end(carrier);
                }
            }
        } catch (LinkageError failed) {
            VirtualClocks.refuseUnlessProven();
            throw failed;
        }
        VirtualClocks.prove();
    }

    private Carrier begin() {
        try {
            Carrier carrier = clock().carrier();
            if (carrier.open != null) {
                interrupt(carrier);
            }
            int begins = pool() != VirtualPools.REST ? pool() : firstPool();
            Segment last = current;
            Segment next = last.next(carrier, clock(), begins);
            carrier.open = next;
            if (next != last) {
                CURRENT.lazySet(this, next);
            }
            return carrier;
        } catch (Throwable failed) { // no memory, no clock
            current = Segment.NO_MORE;
            return null;
        }
    }

    /**
     * Finds the pool of the thread, which is about to be mounted for the first time. Without one it is measured, too.
     */
    private int firstPool() {
        try {
            Thread thread = clock().threadOf(original);
            if (thread == null) {
                return VirtualPools.REST;
            }
            int pool = clock().poolOf(thread);
            setPool(pool);
            return pool | VirtualPools.BEGINS;
        } catch (Throwable failed) { // no memory, no stack
            return VirtualPools.REST;
        }
    }

    /**
     * Whether the thread that has left this segment has ended. If it was mounted again meanwhile, and ended there, that
     * carrier tells. (It looks for the next segment last, because that one began before the end.)
     */
    private boolean hasEnded(Segment segment) {
        Thread thread = pool() == VirtualPools.REST ? null : clock().threadOf(original);
        return thread != null && !thread.isAlive() && segment == current;
    }

    private void end(Carrier carrier) {
        Segment segment = carrier.open;
        carrier.open = null;
        if (segment == null) { // another thread was run inside of it
            return;
        }
        try {
            int begins = hasEnded(segment) ? VirtualPools.ENDS : VirtualPools.REST;
            segment.end(carrier, clock(), begins);
        } catch (Throwable failed) {
            segment.lose();
        }
    }

    /**
     * A scheduler runs this inside of the run() of another segment, either this thread's last one, which it has left,
     * or one of another thread.
     */
    private void interrupt(Carrier carrier) {
        Segment open = carrier.open;
        if (open == current) {
            open.end(carrier, clock(), VirtualPools.REST);
        } else {
            open.lose();
        }
    }

    /* ---- read by the thread itself ---- */

    long cpuTimeNs() {
        for (; ; ) {
            Segment segment = current;
            int version = segment.version();
            long beforeNs = ownBefore(segment).cpuNs + segment.offsetCpuNs();
            long clockNs = clock().cpuTimeNs();
            if (isStill(segment, version)) {
                return beforeNs + clockNs;
            }
        }
    }

    long userTimeNs() {
        for (; ; ) {
            Segment segment = current;
            int version = segment.version();
            long beforeNs = ownBefore(segment).userNs + segment.offsetUserNs();
            long clockNs = clock().userTimeNs();
            if (isStill(segment, version)) {
                return beforeNs + clockNs;
            }
        }
    }

    long systemTimeNs() {
        for (; ; ) {
            Segment segment = current;
            int version = segment.version();
            Total before = ownBefore(segment);
            long beforeNs = before.cpuNs - before.userNs + segment.offsetCpuNs() - segment.offsetUserNs();
            long clockNs = clock().systemTimeNs();
            if (isStill(segment, version)) {
                return beforeNs + clockNs;
            }
        }
    }

    /** Writes CPU, user and system time to an array of three. Returns 0, or a negative errno. */
    int read(long[] timesNs) {
        for (; ; ) {
            Segment segment = current;
            int version = segment.version();
            Total before = ownBefore(segment);
            long beforeCpuNs = before.cpuNs + segment.offsetCpuNs();
            long beforeUserNs = before.userNs + segment.offsetUserNs();
            int error = clock().copy(timesNs);
            if (isStill(segment, version)) {
                timesNs[CarrierClock.CPU] += beforeCpuNs;
                timesNs[CarrierClock.USER] += beforeUserNs;
                timesNs[CarrierClock.SYSTEM] += beforeCpuNs - beforeUserNs;
                return error;
            }
        }
    }

    /**
     * Whether the thread is in the same mount as when it began to read. From JDK 26 on, a thread may leave its carrier
     * wherever it first uses a class; therefore the reading does not look at the segment after this check, either.
     */
    final boolean isStill(Segment segment, int version) {
        return segment == current && segment.version() == version;
    }

    final Total ownBefore(Segment segment) {
        Total before = segment.ownBefore(clock());
        if (before.isLost()) {
            segment.lose();
            throw lost();
        }
        return before;
    }

    private static UnsupportedOperationException lost() {
        return new UnsupportedOperationException("the total of this virtual thread is lost");
    }

    /* ---- read by other threads ---- */

    static IllegalStateException unreadable() {
        return new IllegalStateException("reading the carrier's CPU clock from another thread failed");
    }

    /**
     * Returns the total of the thread, which may be mounted or not.
     *
     * @param hasEnded whether the thread has ended, so that its carrier's time is no longer its own
     */
    final Total tell(boolean hasEnded) {
        for (boolean isFirst = true; ; isFirst = false) {
            Segment segment = current;
            int version = isFirst ? segment.version() : segment.share();
            Total told = Segment.isBeingBegun(version)
                    ? segment // the thread is not in it yet
                    : segment.tell(hasEnded ? new Total() : new Total.Floor(), clock());
            Total copy = told == null ? null : told.copy();
            if (!segment.isStill(version)) {
                continue;
            }
            if (copy == null) {
                throw unreadable();
            }
            return copy;
        }
    }
}
