// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import io.threadclock.diagnostics.FailureLog;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;

/** The parts of accounts that one thread, platform or virtual, has entered and not closed. Only that thread uses it. */
final class ThreadParts extends Padding {
    /** The number of accounts whose slots a thread finds again at once; a power of two. */
    static final int REMEMBERED = 8;

    /** If so many parts are open, one is looked for among the slots of its account, if these are fewer. */
    private static final int MANY = 16;

    /** More open parts of a thread are a leak: nested calls do not enter so many accounts. */
    static final int MOST_OPEN = 1_000;

    private static final FailureLog LEAK =
            new FailureLog("What the thread does counts for all of them, and they stay in"
                    + " memory. Close each part in the thread that has entered it, best by try-with-resources.");

    /**
     * The threads of a container outlive this class and its loader, which strong references would keep in memory. While
     * a part runs, its slot refers to this; without one, the next part makes it anew after a garbage collection.
     */
    private static final ThreadLocal<Reference<ThreadParts>> OF_THREAD = new ThreadLocal<>();

    private static final AtomicInteger COUNT = new AtomicInteger();

    static {
        new PartClock().read(new long[PartSlot.READ]); // loads the library, which is no time of the first part
    }

    /** From 0 to 63, in turn. */
    final int number = Math.floorMod(COUNT.getAndIncrement(), PartSlots.OWN_SLOTS);

    /** Stands for the thread here and in slots, which may outlive it. */
    final Reference<Thread> owner;

    private final boolean isForkJoinWorker;

    /** The slots that the thread has used last. They hold figures, and no account. */
    final PartSlot[] remembered = new PartSlot[REMEMBERED];

    private PartSlot innermost;

    private int open;

    /** An open part that was late when one was looked for, or is next to that one; null if there is none. */
    private PartSlot late;

    final PartClock clock;

    ThreadParts(Thread thread, PartClock clock) {
        this.owner = new WeakReference<>(thread);
        this.isForkJoinWorker = thread instanceof ForkJoinWorkerThread;
        this.clock = clock;
    }

    /** Reads the clock for a part of an account, as {@link PartClock#read(long[])}. */
    boolean read(PartSlots account, long[] figures) {
        figures[PartSlot.BYTES] = account.countsBytes ? clock.allocatedBytes() : AllocatedBytes.UNKNOWN;
        return clock.read(figures);
    }

    static ThreadParts ofThisThread() {
        Reference<ThreadParts> known = OF_THREAD.get();
        ThreadParts mine = known == null ? null : known.get();
        return mine == null ? create() : mine;
    }

    private static ThreadParts create() {
        ThreadParts mine = new ThreadParts(Thread.currentThread(), new PartClock());
        OF_THREAD.set(new WeakReference<>(mine));
        return mine;
    }

    /**
     * Whether tasks of a part in this thread may have others run what they fork, which are no parts of that account.
     */
    boolean mayFork(PartSlots account) {
        return isForkJoinWorker && !isWorkerOf(account);
    }

    private boolean isWorkerOf(PartSlots account) {
        Thread thread = owner.get();
        return thread instanceof AccountWorker && ((AccountWorker) thread).account().slots == account;
    }

    boolean isOf(Thread thread) {
        return owner.get() == thread;
    }

    /** Returns the slot in which this thread measures its part of an account; null if it has none. */
    PartSlot find(PartSlots account) {
        if (open >= MANY && account.size() < open) {
            return account.openIn(this);
        }
        PartSlot slot = innermost;
        while (slot != null && slot.account != account) {
            slot = slot.outer;
        }
        return slot;
    }

    /**
     * Returns a slot in which this thread measures late work; null if there is none, which takes a look at all open
     * parts.
     */
    PartSlot findLate() {
        if (late == null || !late.isLate()) {
            late = innermost;
            while (late != null && !late.isLate()) {
                late = late.outer;
            }
        }
        return late;
    }

    void add(PartSlot slot) {
        slot.user = this;
        if (innermost != null) {
            slot.outer = innermost;
            innermost.inner = slot;
        }
        innermost = slot;
        if (++open == MOST_OPEN + 1) {
            LEAK.report(
                    "Closing parts of accounts on thread \""
                            + Thread.currentThread().getName() + "\"",
                    new IllegalStateException(open + " parts are open in it, the last one here"));
        }
    }

    void remove(PartSlot slot) {
        slot.user = null;
        open--;
        PartSlot outer = slot.outer;
        PartSlot inner = slot.inner;
        if (slot == late) {
            late = outer;
        }
        if (inner == null) {
            innermost = outer;
        } else {
            inner.outer = outer;
            slot.inner = null;
        }
        if (outer != null) {
            outer.inner = inner;
            slot.outer = null;
        }
    }
}
