// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Measures parts of an account, one after the other, and holds their sum. A thread claims a slot for its part, and uses it
 * alone until the part ends; other threads read it meanwhile.
 *
 * <h2>Protocol</h2>
 *
 * The version goes through four phases with each part: free, beginning, running, ending. The thread claims a free slot by
 * an atomic exchange. It announces the end by another one, and only then reads its clock for the last time. Each other
 * store is ordered after the stores before it.
 *
 * <p>The sum is kept twice. The end of a part writes the new sum to the place that the version does not refer to yet, so
 * that readers still find the sum before this part, until the slot is free again.
 *
 * <p>A reader loads the version, the sum and what was told last, reads the clock of the thread if the part runs, and
 * loads the version again. If that has changed, it begins anew. Otherwise its reading was taken before the thread read its
 * clock for the last time, and the reader exchanges what was told last for its reading, unless another reader has done so
 * meanwhile; then it begins anew, too. While the part ends, which takes some ns unless the thread is switched out, a
 * reader returns what was told last.
 *
 * <h2>Guarantees</h2>
 *
 * <ol>
 *   <li>What readers are told of a slot forms one sequence that never goes back, in no figure, because the readings of one
 *       thread's clock do ({@code threadclock.h}), and each reading is taken after the one before was loaded. The end of a
 *       part is at least what was told last.
 *   <li>User time of a part is at most its CPU time, and that is at most its wall time.
 *   <li>No thread waits for another one. A reader that begins anew has seen another thread make progress.
 * </ol>
 */
final class PartSlot {
    /** The indexes of the figures in an array of {@link #FIGURES}. */
    static final int CPU = 0;

    static final int USER = 1;
    static final int WALL = 2;
    static final int UNMEASURED = 3;
    static final int THREADS = 4;
    static final int PARTS = 5;
    static final int FIGURES = 6;

    private static final AtomicReferenceFieldUpdater<PartSlot, Told> TOLD =
            AtomicReferenceFieldUpdater.newUpdater(PartSlot.class, Told.class, "told");
    private static final AtomicReferenceFieldUpdater<PartSlot, ThreadParts.Owner> OWNER =
            AtomicReferenceFieldUpdater.newUpdater(PartSlot.class, ThreadParts.Owner.class, "owner");

    /* The indexes in the array. A line of the cache lies before them, because slots of other threads may. */
    private static final int FIRST = 8;
    private static final int VERSION = FIRST;
    private static final int START_CPU = FIRST + 1;
    private static final int START_USER = FIRST + 2;
    private static final int START_WALL = FIRST + 3;
    private static final int SUMS = FIRST + 4;

    /** The number of figures of a sum. The version tells the number of parts. */
    private static final int SUMMED = PARTS;

    private static final int LONGS = SUMS + 2 * SUMMED;

    /** The phases: the remainder of the version. */
    private static final int FREE = 0;

    private static final int RUNNING = 2;
    private static final int ENDING = 3;
    private static final int PHASES = 4;

    /** Stands in place of the CPU time at the start of a part that cannot be measured. */
    private static final long UNKNOWN = -1;

    final PartSlots account;

    /** The slot that was made before this one; null if this is the first. */
    final PartSlot older;

    /** 1 for the first slot of the account. */
    final int number;

    /** The next part of the same thread outwards, which is another account's. Only the thread uses it. */
    PartSlot outer;

    /** How often the thread has entered the account again in this part. Only the thread uses it. */
    int nested;

    private final AtomicLongArray longs = new AtomicLongArray(LONGS);

    /** The thread of the last part. */
    private volatile ThreadParts.Owner owner;

    /** The figures of a part that a reader was told last. */
    private volatile Told told = Told.NOTHING;

    /** Creates a slot that the calling thread has claimed. */
    PartSlot(PartSlots account, PartSlot older) {
        this.account = account;
        this.older = older;
        this.number = older == null ? 1 : older.number + 1;
        longs.lazySet(VERSION, FREE + 1);
    }

    ThreadParts.Owner owner() {
        return owner;
    }

    /** Whether a part is measured here. A thread may have ended without closing its part; then nothing goes on. */
    boolean isInUse() {
        int phase = (int) (longs.get(VERSION) % PHASES);
        if (phase != RUNNING) {
            return phase != FREE;
        }
        Thread thread = owner.get();
        return thread != null && thread.isAlive();
    }

    /** CPU time of the parts that have ended. */
    long endedCpuNs() {
        return longs.get(sumAt(longs.get(VERSION)) + CPU);
    }

    /** The index of the sum of all parts that had ended when the slot got that version. */
    private static int sumAt(long version) {
        return SUMS + SUMMED * (int) (version / PHASES & 1);
    }

    /* ---- called by the thread that measures its part ---- */

    /** Claims this slot for the calling thread, and returns whether it was free. */
    boolean claim() {
        long version = longs.get(VERSION);
        return version % PHASES == FREE && longs.compareAndSet(VERSION, version, version + 1);
    }

    void begin(ThreadParts mine) {
        long beginning = longs.get(VERSION);
        if (owner != mine.owner) {
            OWNER.lazySet(this, mine.owner);
            int threads = sumAt(beginning) + THREADS;
            longs.lazySet(threads, longs.get(threads) + 1);
        }
        mine.add(this);
        longs.lazySet(START_WALL, System.nanoTime());
        if (mine.read()) {
            longs.lazySet(START_CPU, mine.cpuNs());
            longs.lazySet(START_USER, mine.userNs());
        } else {
            longs.lazySet(START_CPU, UNKNOWN);
        }
        longs.lazySet(VERSION, beginning + 1);
    }

    void end(ThreadParts mine) {
        long running = longs.getAndIncrement(VERSION);
        boolean isMeasured = longs.get(START_CPU) != UNKNOWN && mine.read();
        Told least = told.of(running);
        long cpuNs = least.cpuNs;
        long userNs = least.userNs;
        long wallNs = least.wallNs;
        if (isMeasured) {
            cpuNs = Math.max(cpuNs, mine.cpuNs() - longs.get(START_CPU));
            userNs = Math.max(userNs, Math.min(cpuNs, mine.userNs() - longs.get(START_USER)));
            wallNs = Math.max(Math.max(wallNs, cpuNs), System.nanoTime() - longs.get(START_WALL));
        }
        int before = sumAt(running);
        int after = sumAt(running + PHASES);
        longs.lazySet(after + CPU, longs.get(before + CPU) + cpuNs);
        longs.lazySet(after + USER, longs.get(before + USER) + userNs);
        longs.lazySet(after + WALL, longs.get(before + WALL) + wallNs);
        longs.lazySet(after + UNMEASURED, longs.get(before + UNMEASURED) + (isMeasured ? 0 : 1));
        longs.lazySet(after + THREADS, longs.get(before + THREADS));
        mine.remove(this);
        longs.lazySet(VERSION, running + 2);
    }

    /* ---- called by any thread ---- */

    /** Adds the figures of all parts, with those of the part that runs, to a sum of {@link #FIGURES}. */
    void addTo(long[] sum) {
        boolean isAdded;
        do {
            isAdded = isAddedTo(sum);
        } while (!isAdded);
    }

    private boolean isAddedTo(long[] sum) {
        long version = longs.get(VERSION);
        int phase = (int) (version % PHASES);
        Told last = told;
        Told least = last.of(phase == ENDING ? version - 1 : version);
        boolean isKnown = phase < RUNNING || longs.get(START_CPU) != UNKNOWN;
        Told now = phase == RUNNING && isKnown ? read(version, least) : least;
        if (now == null) {
            isKnown = false;
            now = least;
        }
        int at = sumAt(version);
        long cpuNs = longs.get(at + CPU) + now.cpuNs;
        long userNs = longs.get(at + USER) + now.userNs;
        long wallNs = longs.get(at + WALL) + now.wallNs;
        long unmeasured = longs.get(at + UNMEASURED) + (isKnown ? 0 : 1);
        long threads = longs.get(at + THREADS);
        if (longs.get(VERSION) != version || now != least && !TOLD.compareAndSet(this, last, now)) {
            return false;
        }
        sum[CPU] += cpuNs;
        sum[USER] += userNs;
        sum[WALL] += wallNs;
        sum[UNMEASURED] += unmeasured;
        sum[THREADS] += threads;
        sum[PARTS] += (version + PHASES - 1) / PHASES;
        return true;
    }

    /** Reads the part that runs; null if that is not possible. */
    private Told read(long version, Told least) {
        Thread thread = owner.get();
        CpuTimes times = thread == null ? null : ThreadTimes.readOrNull(thread);
        if (times == null) {
            return null;
        }
        long cpuNs = Math.max(least.cpuNs, times.cpuTimeNs() - longs.get(START_CPU));
        long userNs = Math.max(least.userNs, Math.min(cpuNs, times.userTimeNs() - longs.get(START_USER)));
        long wallNs = Math.max(Math.max(least.wallNs, cpuNs), System.nanoTime() - longs.get(START_WALL));
        return new Told(version, cpuNs, userNs, wallNs);
    }

    /** The figures of a part that runs, as somebody has been told them. */
    private static final class Told {
        static final Told NOTHING = new Told(-1, 0, 0, 0);

        /** The version of the slot while that part runs. */
        final long version;

        final long cpuNs;
        final long userNs;
        final long wallNs;

        Told(long version, long cpuNs, long userNs, long wallNs) {
            this.version = version;
            this.cpuNs = cpuNs;
            this.userNs = userNs;
            this.wallNs = wallNs;
        }

        /** This, if it was told of that part. */
        Told of(long running) {
            return version == running ? this : NOTHING;
        }
    }
}
