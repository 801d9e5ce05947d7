// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.ref.Reference;
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
 * <p>The wall time of a part encloses its other figures: it is read first when the part begins, and last when it ends. A
 * reader reads it first, so that nobody is told more of it, or of the time in which the thread did not run, than there has
 * been. Waits and allocations are read by the thread itself alone, at the end or in a reading of its own.
 *
 * <h2>Guarantees</h2>
 *
 * <ol>
 *   <li>What readers are told of a slot forms one sequence that never goes back, in no figure, because the readings of one
 *       thread's clock do not ({@code threadclock.h}), and each reading is taken after the one before was loaded. The end of
 *       a part is at least what was told last.
 *   <li>User time of a part is at most its CPU time. If its waits are known, CPU time + run delay + the time in which the
 *       thread did not run is its wall time; otherwise it is at most its wall time.
 *   <li>No thread waits for another one. A reader that begins anew has seen another thread make progress.
 * </ol>
 */
final class PartSlot {
    /** The indexes of the figures in an array of {@link #FIGURES}. A reading of a clock has the first ones. */
    static final int CPU = 0;

    static final int USER = 1;

    /** Unknown if any of the waits is. */
    static final int RUN_DELAY = 2;

    static final int VOLUNTARY = 3;
    static final int INVOLUNTARY = 4;
    static final int BYTES = 5;
    static final int READ = 6;

    /** A part has these, too. */
    static final int WALL = READ;

    static final int NOT_RUNNING = 7;
    static final int PART = 8;

    static final int UNKNOWN_WAITS = PART;
    static final int UNKNOWN_BYTES = 9;
    static final int UNMEASURED = 10;
    static final int THREADS = 11;
    static final int PARTS = 12;
    static final int FIGURES = 13;

    private static final AtomicReferenceFieldUpdater<PartSlot, Told> TOLD =
            AtomicReferenceFieldUpdater.newUpdater(PartSlot.class, Told.class, "told");

    @SuppressWarnings("rawtypes") // a class has no type arguments
    private static final AtomicReferenceFieldUpdater<PartSlot, Reference> OWNER =
            AtomicReferenceFieldUpdater.newUpdater(PartSlot.class, Reference.class, "owner");

    /* The indexes in the array. A line of the cache lies before them, because slots of other threads may. */
    private static final int FIRST = 8;
    private static final int VERSION = FIRST;
    private static final int START = FIRST + 1;
    private static final int SUMS = START + WALL + 1;

    /** The number of figures of a sum. The version tells the number of parts. */
    private static final int SUMMED = PARTS;

    private static final int LONGS = SUMS + 2 * SUMMED;

    /** The phases: the remainder of the version. */
    private static final int FREE = 0;

    private static final int RUNNING = 2;
    private static final int ENDING = 3;
    private static final int PHASES = 4;

    /** Stands in place of the CPU time at the start of a part that cannot be measured, or of another figure that is unknown. */
    private static final long UNKNOWN = ThreadWaits.UNKNOWN;

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
    private volatile Reference<Thread> owner;

    /** While a part is measured: keeps in memory what the thread needs to end it. */
    ThreadParts user;

    /** The figures of a part that a reader was told last. */
    private volatile Told told = Told.NOTHING;

    /** Creates a slot that the calling thread has claimed. */
    PartSlot(PartSlots account, PartSlot older) {
        this.account = account;
        this.older = older;
        this.number = older == null ? 1 : older.number + 1;
        longs.lazySet(VERSION, FREE + 1);
    }

    /** Whether the last part was this thread's. */
    boolean isOf(Thread thread) {
        Reference<Thread> last = owner;
        return last != null && last.get() == thread;
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
        if (!isOf(mine.owner.get())) {
            OWNER.lazySet(this, mine.owner);
            int threads = sumAt(beginning) + THREADS;
            longs.lazySet(threads, longs.get(threads) + 1);
        }
        mine.add(this);
        longs.lazySet(START + WALL, mine.clock.wallNs());
        if (mine.read(account)) {
            long[] now = mine.now;
            longs.lazySet(START + CPU, now[CPU]);
            longs.lazySet(START + USER, now[USER]);
            longs.lazySet(START + RUN_DELAY, now[RUN_DELAY]);
            longs.lazySet(START + VOLUNTARY, now[VOLUNTARY]);
            longs.lazySet(START + INVOLUNTARY, now[INVOLUNTARY]);
            longs.lazySet(START + BYTES, now[BYTES]);
        } else {
            longs.lazySet(START + CPU, UNKNOWN);
        }
        longs.lazySet(VERSION, beginning + 1);
    }

    void end(ThreadParts mine) {
        long running = longs.getAndIncrement(VERSION);
        boolean isMeasured = longs.get(START + CPU) != UNKNOWN && mine.read(account);
        boolean hasWaits = isMeasured && isKnown(RUN_DELAY, mine.now);
        boolean hasBytes = isMeasured && isKnown(BYTES, mine.now);
        long[] part = told.of(running).figures;
        if (isMeasured) {
            measure(mine.part, part, mine.now, mine.clock.wallNs());
            part = mine.part;
        }
        int before = sumAt(running);
        int after = sumAt(running + PHASES);
        add(part, CPU, before, after);
        add(part, USER, before, after);
        add(part, RUN_DELAY, before, after);
        add(part, VOLUNTARY, before, after);
        add(part, INVOLUNTARY, before, after);
        add(part, BYTES, before, after);
        add(part, WALL, before, after);
        add(part, NOT_RUNNING, before, after);
        longs.lazySet(after + UNKNOWN_WAITS, longs.get(before + UNKNOWN_WAITS) + (hasWaits ? 0 : 1));
        longs.lazySet(after + UNKNOWN_BYTES, longs.get(before + UNKNOWN_BYTES) + (hasBytes ? 0 : 1));
        longs.lazySet(after + UNMEASURED, longs.get(before + UNMEASURED) + (isMeasured ? 0 : 1));
        longs.lazySet(after + THREADS, longs.get(before + THREADS));
        mine.remove(this);
        longs.lazySet(VERSION, running + 2);
    }

    private void add(long[] part, int i, int before, int after) {
        longs.lazySet(after + i, longs.get(before + i) + part[i]);
    }

    /** Whether a figure of the part is known at that reading. */
    private boolean isKnown(int figure, long[] now) {
        return longs.get(START + figure) != UNKNOWN && now[figure] != UNKNOWN;
    }

    /**
     * Computes the figures of the part from a reading.
     *
     * @param part out
     * @param least figures that were told before
     */
    private void measure(long[] part, long[] least, long[] now, long wallNs) {
        boolean hasWaits = isKnown(RUN_DELAY, now);
        part[CPU] = since(CPU, now, least);
        part[USER] = since(USER, now, least);
        part[RUN_DELAY] = hasWaits ? since(RUN_DELAY, now, least) : least[RUN_DELAY];
        part[VOLUNTARY] = hasWaits ? since(VOLUNTARY, now, least) : least[VOLUNTARY];
        part[INVOLUNTARY] = hasWaits ? since(INVOLUNTARY, now, least) : least[INVOLUNTARY];
        part[BYTES] = isKnown(BYTES, now) ? since(BYTES, now, least) : least[BYTES];
        part[USER] = Math.min(part[USER], part[CPU]);
        part[WALL] = Math.max(least[WALL], wallNs - longs.get(START + WALL));
        long ranNs = part[CPU] + part[RUN_DELAY];
        part[NOT_RUNNING] = hasWaits ? Math.max(least[NOT_RUNNING], part[WALL] - ranNs) : least[NOT_RUNNING];
        part[WALL] = Math.max(part[WALL], ranNs + part[NOT_RUNNING]);
    }

    private long since(int i, long[] now, long[] least) {
        return Math.max(least[i], now[i] - longs.get(START + i));
    }

    /* ---- called by any thread ---- */

    /**
     * Adds the figures of all parts, with those of the part that runs, to a sum of {@link #FIGURES}.
     *
     * @param mine of the calling thread
     */
    void addTo(long[] sum, ThreadParts mine) {
        boolean isAdded;
        do {
            isAdded = isAddedTo(sum, mine);
        } while (!isAdded);
    }

    private boolean isAddedTo(long[] sum, ThreadParts mine) {
        long version = longs.get(VERSION);
        int phase = (int) (version % PHASES);
        Told last = told;
        Told least = last.of(phase == ENDING ? version - 1 : version);
        boolean isKnown = phase < RUNNING || longs.get(START + CPU) != UNKNOWN;
        Told now = phase == RUNNING && isKnown ? read(version, least, mine) : least;
        if (now == null) {
            isKnown = false;
            now = least;
        }
        long[] read = new long[PARTS];
        int at = sumAt(version);
        for (int i = 0; i < PARTS; i++) {
            read[i] = longs.get(at + i) + (i < PART ? now.figures[i] : 0);
        }
        read[UNKNOWN_WAITS] += isKnown && now.hasWaits ? 0 : 1;
        read[UNKNOWN_BYTES] += isKnown && now.hasBytes ? 0 : 1;
        read[UNMEASURED] += isKnown ? 0 : 1;
        if (longs.get(VERSION) != version || now != least && !TOLD.compareAndSet(this, last, now)) {
            return false;
        }
        for (int i = 0; i < PARTS; i++) {
            sum[i] += read[i];
        }
        sum[PARTS] += (version + PHASES - 1) / PHASES;
        return true;
    }

    /** Reads the part that runs; null if that is not possible. */
    private Told read(long version, Told least, ThreadParts mine) {
        long wallNs = mine.clock.wallNs();
        boolean isRead = mine.isOf(owner.get()) ? mine.read(account) : readOther(mine);
        if (!isRead) {
            return null;
        }
        long[] part = new long[PART];
        measure(part, least.figures, mine.now, wallNs);
        return new Told(version, part, isKnown(RUN_DELAY, mine.now), isKnown(BYTES, mine.now));
    }

    private boolean readOther(ThreadParts mine) {
        Thread thread = owner.get();
        mine.now[BYTES] = UNKNOWN;
        return thread != null && mine.clock.read(thread, mine.now);
    }

    /** The figures of a part that runs, as somebody has been told them. */
    private static final class Told {
        static final Told NOTHING = new Told(-1, new long[PART], true, true);

        /** The version of the slot while that part runs. */
        final long version;

        final long[] figures;

        /** Whether the waits are known until then. */
        final boolean hasWaits;

        /** Whether the bytes that were allocated are. */
        final boolean hasBytes;

        Told(long version, long[] figures, boolean hasWaits, boolean hasBytes) {
            this.version = version;
            this.figures = figures;
            this.hasWaits = hasWaits;
            this.hasBytes = hasBytes;
        }

        /** This, if it was told of that part. */
        Told of(long running) {
            return version == running ? this : NOTHING;
        }
    }
}
