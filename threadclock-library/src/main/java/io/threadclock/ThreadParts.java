// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.concurrent.ForkJoinWorkerThread;

/** The parts of accounts that one thread, platform or virtual, has entered and not closed. Only that thread uses it. */
final class ThreadParts extends Padding {
    /** The number of accounts whose slots a thread finds again at once; a power of two. */
    static final int REMEMBERED = 8;

    /**
     * The threads of a container outlive this class and its loader, which strong references would keep in memory. While a
     * part runs, its slot refers to this; without one, the next part makes it anew after a garbage collection.
     */
    private static final ThreadLocal<Reference<ThreadParts>> OF_THREAD = new ThreadLocal<>();

    /** Stands for the thread here and in slots, which may outlive it. */
    final Reference<Thread> owner;

    private final boolean isForkJoinWorker;

    /** The slots that the thread has used last. They hold figures, and no account. */
    final PartSlot[] remembered = new PartSlot[REMEMBERED];

    private PartSlot innermost;

    final PartClock clock;

    /** The last reading of the clock. */
    final long[] now = new long[PartSlot.READ];

    /** The figures of a part that ends. */
    final long[] part = new long[PartSlot.PART];

    ThreadParts(Thread thread, PartClock clock) {
        this.owner = new WeakReference<>(thread);
        this.isForkJoinWorker = thread instanceof ForkJoinWorkerThread;
        this.clock = clock;
    }

    /** Reads the clock for a part of an account, and returns whether that was possible. */
    boolean read(PartSlots account) {
        now[PartSlot.BYTES] = account.countsBytes ? clock.allocatedBytes() : AllocatedBytes.UNKNOWN;
        return clock.read(now);
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

    /** Whether tasks of a part in this thread may have others run what they fork, which are no parts of that account. */
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
        PartSlot slot = innermost;
        while (slot != null && slot.account != account) {
            slot = slot.outer;
        }
        return slot;
    }

    /** Returns the slot in which this thread measures late work; null if there is none. */
    PartSlot findLate() {
        PartSlot slot = innermost;
        while (slot != null && slot.account != PartSlots.LATE && !slot.account.isClosed()) {
            slot = slot.outer;
        }
        return slot;
    }

    void add(PartSlot slot) {
        slot.user = this;
        if (innermost != null) {
            slot.outer = innermost;
        }
        innermost = slot;
    }

    void remove(PartSlot slot) {
        slot.user = null;
        PartSlot outer = slot.outer;
        if (slot == innermost) {
            innermost = outer;
        } else {
            PartSlot inner = innermost;
            while (inner.outer != slot) {
                inner = inner.outer;
            }
            inner.outer = outer;
        }
        if (outer != null) {
            slot.outer = null;
        }
    }
}
