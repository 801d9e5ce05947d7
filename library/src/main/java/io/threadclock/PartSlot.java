// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Measures parts of an account, one after the other, and holds their sum. A thread claims a slot for its part, and uses
 * it alone until the part ends; other threads read it meanwhile.
 *
 * <h2>Protocol</h2>
 *
 * The version goes through four phases with each part: free, beginning, running, ending. A thread claims a free slot by
 * an atomic exchange; one of the first 64 by a store, because while its last thread lives, nobody else claims it. The
 * thread announces the end by an exchange, and only then reads its clock for the last time. The figures are stored
 * between two changes of the version, after the first of them and before the second.
 *
 * <p>The sum is kept twice. The end of a part writes the new sum to the place that the version does not refer to yet,
 * so that readers still find the sum before this part, until the slot is free again.
 *
 * <p>A reader loads the version, the sum and what was told last, reads the clock of the thread if the part runs, and
 * exchanges the version for itself, after all these loads. If it has changed, it begins anew. Otherwise its reading was
 * taken before the thread read its clock for the last time, and the reader exchanges what was told last for its
 * reading, unless another reader has done so meanwhile; then it begins anew, too. While the part ends, which takes some
 * ns unless the thread is switched out, a reader returns what was told last.
 *
 * <p>The wall time is of the same moment as the other figures, or of an earlier one, so that nobody is told more of it,
 * or of the time in which the thread did not run, than there has been; it is never less than what the thread has run.
 * Waits and allocations are read by the thread itself alone, at the end or in a reading of its own.
 *
 * <p>The thread that closes the account marks it closed, and then visits its slots. It exchanges what was told last for
 * a last reading, which no reader replaces; where no part has begun, for that of the next one, of nothing. A thread
 * looks for the mark after it has claimed a slot, and gives that back; and after it has announced an end. There it
 * exchanges what was told last for its own last reading, unless the closing thread has been faster: then the part has
 * ended with that reading, and what follows is a late part. (A claim by a store and the mark may both be missed; the
 * end finds the mark.)
 *
 * <h2>Guarantees</h2>
 *
 * <ol>
 *   <li>What readers are told of a slot forms one sequence that never goes back, in no figure, because the readings of
 *       one thread's clock do not ({@code threadclock.h}), and each reading is taken after the one before was loaded.
 *       The end of a part is at least what was told last.
 *   <li>User time of a part is at most its CPU time. If its waits are known, CPU time + run delay + the time in which
 *       the thread did not run is its wall time; otherwise it is at most its wall time.
 *   <li>No thread waits for another one. A reader that begins anew has seen another thread make progress.
 *   <li>What a part uses before the account is closed is the account's, and the rest is late; nothing is both, or
 *       neither. (Where it ends meanwhile, this is not said of the end itself, which takes some ns.)
 * </ol>
 */
final class PartSlot extends Padding {
    /** The indexes of the figures in an array of {@link #FIGURES}. A reading of a clock has the first ones. */
    static final int CPU = 0;

    static final int USER = 1;

    /** Unknown if any of the waits is. */
    static final int RUN_DELAY = 2;

    static final int VOLUNTARY = 3;
    static final int INVOLUNTARY = 4;
    static final int BYTES = 5;
    static final int WALL = 6;
    static final int READ = 7;

    /** A part has this, too. */
    static final int NOT_RUNNING = READ;

    static final int PART = 8;

    static final int UNKNOWN_WAITS = PART;
    static final int UNKNOWN_BYTES = 9;
    static final int UNMEASURED = 10;
    static final int THREADS = 11;
    static final int FORKING = 12;
    static final int PARTS = 13;
    static final int FIGURES = 14;

    private static final AtomicLongFieldUpdater<PartSlot> VERSION =
            AtomicLongFieldUpdater.newUpdater(PartSlot.class, "version");
    private static final AtomicReferenceFieldUpdater<PartSlot, Told> TOLD =
            AtomicReferenceFieldUpdater.newUpdater(PartSlot.class, Told.class, "told");

    @SuppressWarnings("rawtypes") // a class has no type arguments
    private static final AtomicReferenceFieldUpdater<PartSlot, Reference> OWNER =
            AtomicReferenceFieldUpdater.newUpdater(PartSlot.class, Reference.class, "owner");

    /** The number of figures of a sum. The next ones are kept once, and the version tells the number of parts. */
    private static final int SUMMED = THREADS;

    /** Behind each array, because slots of other threads may lie there: a line of the cache. */
    private static final int PADDING = 8;

    /** The phases: the lowest bits of the version. */
    private static final int FREE = 0;

    private static final int BEGINNING = 1;
    private static final int RUNNING = 2;
    private static final int ENDING = 3;
    private static final int PHASES = 4;
    private static final int PHASE = PHASES - 1;

    /**
     * Stands in place of the CPU time at the start of a part that cannot be measured, or of another figure that is
     * unknown.
     */
    private static final long UNKNOWN = ThreadWaits.UNKNOWN;

    final PartSlots account;

    /** The slot that was made before this one; null if this is the first. */
    final PartSlot older;

    /** 1 for the first slot of the account. */
    final int number;

    /** The next part of the same thread outwards, which is another account's. Only the thread uses it. */
    PartSlot outer;

    /** The part of which this is the outer one. Only the thread uses it. */
    PartSlot inner;

    /** How often the thread has entered the account again in this part. Only the thread uses it. */
    int nested;

    private volatile long version;

    /** The reading at the start of the part. */
    private final long[] start = new long[READ + PADDING];

    private final long[] evenSum = new long[SUMMED + PADDING];
    private final long[] oddSum = new long[SUMMED + PADDING];

    private long threads;
    private long forking;

    /** The thread of the last part. */
    private volatile Reference<Thread> owner;

    /** While a part is measured: keeps in memory what the thread needs to end it. Only the thread itself writes it. */
    ThreadParts user;

    /** The figures of a part that a reader was told last. */
    private volatile Told told = Told.NOTHING;

    /** Creates a slot that the calling thread has claimed. */
    PartSlot(PartSlots account, PartSlot older) {
        this.account = account;
        this.older = older;
        this.number = older == null ? 1 : older.number + 1;
        VERSION.lazySet(this, FREE + BEGINNING);
    }

    /** Whether the last part was this thread's, which may have made what it needs for parts anew since then. */
    boolean isOf(ThreadParts thread) {
        Reference<Thread> last = owner;
        return last == thread.owner || last != null && thread.isOf(last.get());
    }

    /** Whether a part is measured here. A thread may have ended without closing its part; then nothing goes on. */
    boolean isInUse() {
        int phase = (int) (version & PHASE);
        return phase == RUNNING ? hasThread() : phase != FREE;
    }

    /** Whether the thread of the last part lives. */
    private boolean hasThread() {
        Reference<Thread> last = owner;
        Thread thread = last == null ? null : last.get();
        return thread != null && thread.isAlive();
    }

    /** Whether what a part here uses is late. */
    boolean isLate() {
        return account == PartSlots.LATE || account.isClosed();
    }

    /** CPU time of the parts that have ended. */
    long endedCpuNs() {
        return sum(version)[CPU];
    }

    /** The sum of all parts that had ended when the slot got that version. */
    private long[] sum(long version) {
        return (version & PHASES) == 0 ? evenSum : oddSum;
    }

    /* ---- called by the thread that measures its part ---- */

    /** Claims this slot for the calling thread, and returns whether it was free, and is not another thread's own. */
    boolean claim(ThreadParts mine) {
        long seen = version;
        if ((seen & PHASE) != FREE) {
            return false;
        }
        boolean isOwned = number <= PartSlots.OWN_SLOTS;
        if (isOwned && isOf(mine)) {
            VERSION.lazySet(this, seen + BEGINNING);
            return true;
        }
        return !(isOwned && hasThread()) && VERSION.compareAndSet(this, seen, seen + BEGINNING);
    }

    /** Gives a slot back that has been claimed, and not begun. */
    void release() {
        VERSION.set(this, version - BEGINNING);
    }

    private void take(ThreadParts mine) {
        if (!isOf(mine)) {
            OWNER.lazySet(this, mine.owner);
            threads++;
        }
        if (mine.mayFork(account)) {
            forking++;
        }
        mine.add(this);
    }

    /** Begins a part where that of a closed account has ended, as its last reading tells. */
    private void beginAfter(PartSlot closed, Told last, ThreadParts mine) {
        take(mine);
        for (int i = CPU; i <= WALL; i++) {
            long began = closed.start[i];
            boolean isKnown = began != UNKNOWN && (i != RUN_DELAY || last.hasWaits) && (i != BYTES || last.hasBytes);
            start[i] = isKnown ? began + last.figures[i] : UNKNOWN;
        }
        VERSION.lazySet(this, version + 1);
    }

    void begin(ThreadParts mine) {
        take(mine);
        if (!mine.read(account, start)) {
            start[CPU] = UNKNOWN;
        }
        VERSION.lazySet(this, version + 1);
    }

    /** Returns the CPU time of the part, until the account was closed; -1 if it is not known. */
    long end(ThreadParts mine) {
        long running = VERSION.getAndIncrement(this);
        long[] before = sum(running);
        long[] after = sum(running + PHASES);
        long[] least = told.of(running).figures;
        boolean isMeasured = start[CPU] != UNKNOWN && mine.read(account, after);
        boolean hasWaits = isMeasured && isKnown(RUN_DELAY, after);
        boolean hasBytes = isMeasured && isKnown(BYTES, after);
        if (isMeasured) {
            measure(after, least);
        } else {
            System.arraycopy(least, 0, after, 0, PART);
        }
        Told closed = account.isClosed() ? lastReading(running, after, hasWaits, hasBytes) : null;
        if (closed != null) {
            System.arraycopy(closed.figures, 0, after, 0, PART);
            hasWaits = closed.hasWaits;
            hasBytes = closed.hasBytes;
        }
        long cpuNs = isMeasured ? after[CPU] : UNKNOWN;
        for (int i = 0; i < PART; i++) {
            after[i] += before[i];
        }
        after[UNKNOWN_WAITS] = before[UNKNOWN_WAITS] + (hasWaits ? 0 : 1);
        after[UNKNOWN_BYTES] = before[UNKNOWN_BYTES] + (hasBytes ? 0 : 1);
        after[UNMEASURED] = before[UNMEASURED] + (isMeasured ? 0 : 1);
        mine.remove(this);
        VERSION.lazySet(this, running + 2);
        if (closed != null && mine.findLate() == null) {
            PartSlot late = PartSlots.LATE.claim(mine);
            late.beginAfter(this, closed, mine);
            late.end(mine);
        }
        return cpuNs;
    }

    /** Returns the reading with which a closed account has ended the part; null if that has the whole part. */
    private Told lastReading(long running, long[] after, boolean hasWaits, boolean hasBytes) {
        Told end = new Told(running, Arrays.copyOf(after, PART), hasWaits, hasBytes, true);
        for (; ; ) {
            Told last = told;
            if (last.isLast && last.version == running) {
                return last;
            }
            if (TOLD.compareAndSet(this, last, end)) {
                return null;
            }
        }
    }

    /** Whether a figure of the part is known at that reading. */
    private boolean isKnown(int figure, long[] read) {
        return start[figure] != UNKNOWN && read[figure] != UNKNOWN;
    }

    /**
     * Makes a reading the figures of the part.
     *
     * @param least figures that were told before
     */
    private void measure(long[] read, long[] least) {
        boolean hasWaits = isKnown(RUN_DELAY, read);
        read[BYTES] = isKnown(BYTES, read) ? since(BYTES, read, least) : least[BYTES];
        read[CPU] = since(CPU, read, least);
        read[USER] = Math.min(since(USER, read, least), read[CPU]);
        read[RUN_DELAY] = hasWaits ? since(RUN_DELAY, read, least) : least[RUN_DELAY];
        read[VOLUNTARY] = hasWaits ? since(VOLUNTARY, read, least) : least[VOLUNTARY];
        read[INVOLUNTARY] = hasWaits ? since(INVOLUNTARY, read, least) : least[INVOLUNTARY];
        read[WALL] = since(WALL, read, least);
        long ranNs = read[CPU] + read[RUN_DELAY];
        read[NOT_RUNNING] = hasWaits ? Math.max(least[NOT_RUNNING], read[WALL] - ranNs) : least[NOT_RUNNING];
        read[WALL] = Math.max(read[WALL], ranNs + read[NOT_RUNNING]);
    }

    private long since(int figure, long[] read, long[] least) {
        return Math.max(least[figure], read[figure] - start[figure]);
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
            isAdded = isAddedTo(sum, mine, false);
        } while (!isAdded);
    }

    /** Adds the figures in the same way, and takes care that they stay as they are, because the account is closed. */
    void close(long[] sum, ThreadParts mine) {
        boolean isAdded;
        do {
            isAdded = isAddedTo(sum, mine, true);
        } while (!isAdded);
    }

    private boolean isAddedTo(long[] sum, ThreadParts mine, boolean isLast) {
        long seen = version;
        int phase = (int) (seen & PHASE);
        Told last = told;
        long running = seen - phase + RUNNING;
        Told least = last.of(running);
        boolean isKnown = phase < RUNNING || start[CPU] != UNKNOWN;
        boolean isRead = phase == RUNNING || isLast && phase == ENDING;
        Told now = isRead && isKnown && !least.isLast ? read(running, least, mine) : least;
        if (now == null) {
            isKnown = false;
            now = least;
        }
        if (isLast && !least.isLast) {
            now = new Told(running, now.figures, now.hasWaits, now.hasBytes, true);
        }
        long[] read = Arrays.copyOf(sum(seen), FIGURES);
        for (int i = 0; i < PART; i++) {
            read[i] += now.figures[i];
        }
        read[UNKNOWN_WAITS] += isKnown && now.hasWaits ? 0 : 1;
        read[UNKNOWN_BYTES] += isKnown && now.hasBytes ? 0 : 1;
        read[UNMEASURED] += isKnown ? 0 : 1;
        read[THREADS] = threads;
        read[FORKING] = forking;
        read[PARTS] = (seen + PHASES - 1) / PHASES;
        if (!VERSION.compareAndSet(this, seen, seen) || now != least && !TOLD.compareAndSet(this, last, now)) {
            return false;
        }
        for (int i = 0; i < FIGURES; i++) {
            sum[i] += read[i];
        }
        return true;
    }

    /** Reads the part that runs; null if that is not possible. */
    private Told read(long running, Told least, ThreadParts mine) {
        long[] read = new long[PART];
        if (!(isOf(mine) ? mine.read(account, read) : readOther(mine.clock, read))) {
            return null;
        }
        boolean hasWaits = isKnown(RUN_DELAY, read);
        boolean hasBytes = isKnown(BYTES, read);
        measure(read, least.figures);
        return new Told(running, read, hasWaits, hasBytes, false);
    }

    private boolean readOther(PartClock clock, long[] read) {
        Thread thread = owner.get();
        read[BYTES] = UNKNOWN;
        return thread != null && clock.read(thread, read);
    }

    /** The figures of a part that runs, as somebody has been told them. */
    private static final class Told {
        static final Told NOTHING = new Told(-1, new long[PART], true, true, false);

        /** The version of the slot while that part runs. */
        final long version;

        final long[] figures;

        /** Whether the waits are known until then. */
        final boolean hasWaits;

        /** Whether the bytes that were allocated are. */
        final boolean hasBytes;

        /** Whether the account has been closed, and has no more of the part than this. */
        final boolean isLast;

        Told(long version, long[] figures, boolean hasWaits, boolean hasBytes, boolean isLast) {
            this.version = version;
            this.figures = figures;
            this.hasWaits = hasWaits;
            this.hasBytes = hasBytes;
            this.isLast = isLast;
        }

        /** This, if it was told of that part. */
        Told of(long running) {
            return version == running ? this : NOTHING;
        }
    }
}
