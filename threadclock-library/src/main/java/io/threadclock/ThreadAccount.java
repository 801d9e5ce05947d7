// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.nio.LongBuffer;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * What one virtual thread has cost: the sum of its segments. It stands in the place of the Runnable by which the JDK runs
 * the thread, so it is reached through the thread, needs no table, and ends with it.
 *
 * <p>A segment is one mount. It begins at a reading p of its carrier's clock, has an end e, another one, and the total up to
 * its end is that before it + e - p. A reading in it is the total before it + the carrier's clock now - p. A point is CPU and
 * user time of one reading.
 *
 * <h2>Assumptions</h2>
 *
 * <ol>
 *   <li>Every mount of the thread is one call of this {@code run()}, by its carrier, which is a platform thread and does
 *       nothing else for as long. (A scheduler that runs another virtual thread inside of it breaks that: see G5.)
 *   <li>The segments of a thread follow one another: it is in its next one only when it has left the last one. But {@code
 *       run()} of the last one may return later, or not for a long time: the thread is submitted again before it returns.
 *   <li>All readings of one carrier's clock, by itself and by others, are one sequence: one that begins when another one has
 *       ended is not before it in CPU time nor in user time, and user time grows by no more than CPU time
 *       ({@code threadclock.h}).
 *   <li>A carrier does not end inside of {@code run()}; until then its tid is its own.
 *   <li>What a thread has done in a mount happens before the next one.
 * </ol>
 *
 * <h2>Protocol</h2>
 *
 * The word {@code end} of a segment goes from open (null) to a total, for good, by one exchange. Whoever exchanges it (the
 * carrier when {@code run()} returns; the thread itself when it reads in the next segment and finds this one open; others
 * that read it; the next mount but one) does three things in this order: loads the word, reads the carrier's clock, exchanges
 * the word if it is what was loaded. The point is not the word's: the total is in an object that is written before the
 * exchange, and not after it until the segment is begun anew. Others that read a segment which goes on exchange the word, too,
 * for a floor: open still, but with a total that has been told.
 *
 * <p>A segment is begun anew for the next mount if its end is the one that its carrier has offered: then the carrier does not touch
 * it any more, and the thread is not in a next one from which it would end it. Only others may still look at it. They take the
 * version before and after: if it is another one, they have read two mounts mixed, and exchanged at most a floor for a floor or
 * for null, whose figures nobody uses; they begin anew, and mark the segment as shared, with which the next mount takes another one.
 * If the version is odd, the segment is just being begun, and the total before, which is still in it, is the answer. One that
 * overlaps the next is not begun anew, because it is no longer the current one.
 *
 * <h2>Guarantees</h2>
 *
 * <ol>
 *   <li>A segment has one total, whoever needs it, from when it was needed first.
 *   <li>Readings of a thread, by itself and by others, are one sequence, as A3 says of a clock. Because: points that were
 *       exchanged lie in the order of their exchanges, as each was read after the one before was loaded (A3); the thread's own
 *       readings in a segment end before the next one begins (A2), and ends are read after that by their carrier, or by
 *       somebody who has seen the next segment; and totals are sums of pieces of curves none of which falls, nor rises faster
 *       in user time than in CPU time.
 *   <li>A segment contains nothing of what its carrier does before it is run or after {@code run()} has returned; no two
 *       segments of a carrier overlap. The sum of all accounts is at most the carriers' CPU time.
 *   <li>No reading waits for another thread. One that finds its exchange overtaken begins anew: somebody else has got on.
 *   <li>What breaks A1, or a clock that refuses, makes the total lost: readings are refused from then on, instead of wrong.
 *   <li>Readings of itself allocate nothing, nor do mounts that begin after the last one's end, unless others read the thread at
 *       that moment. Only the last segment, the one before it while that is open, and the ends of both are held.
 * </ol>
 */
final class ThreadAccount implements Runnable {
    private static final AtomicReferenceFieldUpdater<ThreadAccount, Segment> CURRENT =
            AtomicReferenceFieldUpdater.newUpdater(ThreadAccount.class, Segment.class, "current");

    private static final int TIMES = 0;
    private static final int OPEN = 1;

    private final Runnable original;
    private final CarrierClock clock;

    /** The last mount. */
    private volatile Segment current = Segment.NONE;

    ThreadAccount(Runnable original, CarrierClock clock) {
        this.original = original;
        this.clock = clock;
    }

    /**
     * The calling thread's.
     *
     * @throws UnsupportedOperationException if it has none
     */
    static ThreadAccount ofCurrent() {
        ThreadAccount account = of(Thread.currentThread());
        if (account == null || !account.isMounted()) {
            throw Accounting.refusal();
        }
        return account;
    }

    /** Whether the calling thread has one that can be read. */
    static boolean canReadCurrent() {
        ThreadAccount account = of(Thread.currentThread());
        return account != null && account.isMounted();
    }

    /** Null if it has none. */
    static ThreadAccount of(Thread thread) {
        Runnable runnable = Accounting.runnableOf(thread);
        return runnable instanceof ThreadAccount ? (ThreadAccount) runnable : null;
    }

    /** To the thread itself: that it can be read. False also if the JDK has mounted it otherwise than by {@link #run()}. */
    boolean isMounted() {
        return current.isOpen();
    }

    Segment current() {
        return current;
    }

    /** One mount. Nothing of the account keeps the thread from running. */
    @Override
    public void run() {
        Object[] carrier = begin();
        try {
            original.run();
        } finally {
            if (carrier != null) {
                end(carrier);
            }
        }
    }

    private Object[] begin() {
        try {
            Object[] carrier = clock.carrier();
            LongBuffer times = (LongBuffer) carrier[TIMES];
            if (carrier[OPEN] != null) {
                interrupt((Segment) carrier[OPEN], times);
            }
            Segment last = current;
            Segment next = last.next(times, clock);
            carrier[OPEN] = next;
            if (next != last) {
                CURRENT.lazySet(this, next);
            }
            return carrier;
        } catch (Throwable failed) { // no memory, no clock
            current = Segment.NO_MORE;
            return null;
        }
    }

    private void end(Object[] carrier) {
        Segment segment = (Segment) carrier[OPEN];
        carrier[OPEN] = null;
        if (segment == null) { // another one was run inside of it
            return;
        }
        try {
            segment.end((LongBuffer) carrier[TIMES], clock);
        } catch (Throwable failed) {
            segment.lose();
        }
    }

    /** A scheduler runs this inside of another one's run(): of this thread's last, which is left, or of another thread's. */
    private void interrupt(Segment open, LongBuffer times) {
        if (open == current) {
            open.end(times, clock);
        } else {
            open.lose();
        }
    }

    /* ---- by the thread itself ---- */

    long cpuTimeNs() {
        for (; ; ) {
            Segment segment = current;
            int version = segment.version();
            long beforeNs = ownBefore(segment).cpuNs + segment.offsetCpuNs();
            long clockNs = clock.cpuTimeNs();
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
            long clockNs = clock.userTimeNs();
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
            long clockNs = clock.systemTimeNs();
            if (isStill(segment, version)) {
                return beforeNs + clockNs;
            }
        }
    }

    /** Returns 0, or a negative errno. */
    int read(TimesHolder holder) {
        for (; ; ) {
            Segment segment = current;
            int version = segment.version();
            Total before = ownBefore(segment);
            long beforeCpuNs = before.cpuNs + segment.offsetCpuNs();
            long beforeUserNs = before.userNs + segment.offsetUserNs();
            int error = holder.read();
            if (isStill(segment, version)) {
                if (error == 0) {
                    holder.add(beforeCpuNs, beforeUserNs);
                }
                return error;
            }
        }
    }

    /** As a value. */
    CpuTimes read() {
        for (; ; ) {
            Segment segment = current;
            int version = segment.version();
            Total before = ownBefore(segment);
            long beforeCpuNs = before.cpuNs + segment.offsetCpuNs();
            long beforeUserNs = before.userNs + segment.offsetUserNs();
            long[] timesNs = new long[3];
            int error = clock.copy(timesNs);
            if (!isStill(segment, version)) {
                continue;
            }
            if (error != 0) {
                throw ThreadClock.refused(error);
            }
            return new CpuTimes(beforeCpuNs + timesNs[0], beforeUserNs + timesNs[1]);
        }
    }

    /**
     * Whether the thread is in the same mount as when it began to read. From JDK 26 on it may leave its carrier wherever a class is
     * used first: so the segment is not looked at after this, either.
     */
    private boolean isStill(Segment segment, int version) {
        return segment == current && segment.version() == version;
    }

    private Total ownBefore(Segment segment) {
        Total before = segment.ownBefore(clock);
        if (before.isLost()) {
            segment.lose();
            throw Accounting.refusal();
        }
        return before;
    }

    /* ---- by others ---- */

    /**
     * What has been spent, mounted or not.
     *
     * @param hasEnded the thread: then its carrier's time is no longer its own
     */
    Total tell(boolean hasEnded) {
        for (boolean isFirst = true; ; isFirst = false) {
            Segment segment = current;
            int version = isFirst ? segment.version() : segment.share();
            Total told = Segment.isBeingBegun(version)
                    ? segment // the thread is not in it yet
                    : segment.tell(hasEnded ? new Total() : new Total.Floor(), clock);
            Total copy = told == null ? null : told.copy();
            if (!segment.isStill(version)) {
                continue;
            }
            if (copy == null) {
                throw Accounting.unreadable();
            }
            return copy;
        }
    }
}
