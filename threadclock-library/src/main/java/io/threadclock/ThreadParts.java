// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.ref.WeakReference;

/** The parts of accounts that one thread, platform or virtual, has entered and not closed. Only that thread uses it. */
final class ThreadParts extends Padding {
    /** The number of accounts whose slots a thread finds again at once; a power of two. */
    static final int REMEMBERED = 8;

    private static final ThreadLocal<ThreadParts> OF_THREAD =
            ThreadLocal.withInitial(() -> new ThreadParts(new PartClock()));

    final Thread thread = Thread.currentThread();

    /** Stands for the thread in slots, which may outlive it. */
    final Owner owner = new Owner(thread);

    /** The slots that the thread has used last. They hold figures, and no account. */
    final PartSlot[] remembered = new PartSlot[REMEMBERED];

    private PartSlot innermost;

    final PartClock clock;

    /** The last reading of the clock. */
    final long[] now = new long[PartSlot.READ];

    /** The figures of a part that ends. */
    final long[] part = new long[PartSlot.PART];

    ThreadParts(PartClock clock) {
        this.clock = clock;
    }

    /** Reads the clock for a part of an account, and returns whether that was possible. */
    boolean read(PartSlots account) {
        now[PartSlot.BYTES] = account.countsBytes ? clock.allocatedBytes() : AllocatedBytes.UNKNOWN;
        return clock.read(now);
    }

    static ThreadParts ofThisThread() {
        return OF_THREAD.get();
    }

    /** Returns the slot in which this thread measures its part of an account; null if it has none. */
    PartSlot find(PartSlots account) {
        PartSlot slot = innermost;
        while (slot != null && slot.account != account) {
            slot = slot.outer;
        }
        return slot;
    }

    void add(PartSlot slot) {
        if (innermost != null) {
            slot.outer = innermost;
        }
        innermost = slot;
    }

    void remove(PartSlot slot) {
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

    /** The thread of a part, as long as that is alive. */
    static final class Owner extends WeakReference<Thread> {
        private Owner(Thread thread) {
            super(thread);
        }
    }
}
