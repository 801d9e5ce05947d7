// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * The slots of one account: a list to which slots are only added. It grows with the number of parts that run at the
 * same time, not with the number of threads. No operation waits for another thread.
 */
final class PartSlots {
    /**
     * This many threads have a slot of their own, which nobody else claims while they live, and are counted exactly.
     */
    static final int OWN_SLOTS = 64;

    /** If so many slots, one after the other, are in use, or others' own, a new one is made. */
    private static final int MOST_TRIED = 2 * OWN_SLOTS;

    /** An account of more slots keeps them by the threads' numbers, because a search through them takes longer. */
    private static final int FEW = 4;

    /** The late parts of all threads. Never closed itself. */
    static final PartSlots LATE = new PartSlots(false);

    private static final AtomicReferenceFieldUpdater<PartSlots, long[]> LAST =
            AtomicReferenceFieldUpdater.newUpdater(PartSlots.class, long[].class, "last");
    private static final AtomicReferenceFieldUpdater<PartSlots, PartSlot> NEWEST =
            AtomicReferenceFieldUpdater.newUpdater(PartSlots.class, PartSlot.class, "newest");

    final boolean countsBytes;

    /** Null if there is none, and when the account has been closed. */
    private volatile PartSlot newest;

    private volatile boolean isClosed;

    /** The figures of a closed account; null before. */
    private volatile long[] last;

    /** Where the next search for a free slot begins; null is the newest. Any value is right. */
    private PartSlot next;

    /** The last slot of the thread with each number; null as long as there are few. Any value is right. */
    private PartSlot[] known;

    /** Where threads remember their slots of this account. Accounts with the same place displace one another. */
    private final int place = ThreadLocalRandom.current().nextInt(ThreadParts.REMEMBERED);

    PartSlots(boolean countsBytes) {
        this.countsBytes = countsBytes;
    }

    boolean isClosed() {
        return isClosed;
    }

    /**
     * Closes the account: its figures stay as they are now. If two threads close it at once, one of them may return
     * before they do.
     */
    void close(ThreadParts mine) {
        if (isClosed) {
            return;
        }
        isClosed = true;
        long[] figures = new long[PartSlot.FIGURES];
        for (PartSlot slot = newest; slot != null; slot = slot.older) {
            slot.close(figures, mine);
        }
        if (LAST.compareAndSet(this, null, figures)) {
            newest = null;
            known = null;
        }
    }

    /**
     * Returns a slot that the calling thread has claimed; null if the account is closed. If neither this nor the
     * closing thread sees what the other does, the end of the part does.
     */
    PartSlot claim(ThreadParts mine) {
        if (isClosed) {
            return null;
        }
        PartSlot claimed = claimAny(mine);
        if (!isClosed) {
            return claimed;
        }
        claimed.release();
        return null;
    }

    private PartSlot claimAny(ThreadParts mine) {
        PartSlot last = mine.remembered[place];
        if (last != null && last.account == this && last.claim(mine)) {
            return last;
        }
        PartSlot claimed = claimAnother(mine);
        mine.remembered[place] = claimed;
        return claimed;
    }

    private PartSlot claimAnother(ThreadParts mine) {
        PartSlot[] all = known;
        PartSlot own = all == null ? null : all[mine.number];
        if (own == null || !own.isOf(mine) || !own.claim(mine)) { // another thread's may not be visible as a whole
            own = claimFrom(newest, mine);
        }
        if (all != null) {
            all[mine.number] = own;
        }
        return own;
    }

    private PartSlot claimFrom(PartSlot first, ThreadParts mine) {
        PartSlot found = first == null || first.number < OWN_SLOTS ? ownFrom(first, mine) : free(mine);
        return found == null ? add() : found;
    }

    private static PartSlot ownFrom(PartSlot first, ThreadParts mine) {
        for (PartSlot slot = first; slot != null; slot = slot.older) {
            if (slot.isOf(mine) && slot.claim(mine)) {
                return slot;
            }
        }
        return null;
    }

    /** Searches on from where the last search ended, so that the slots are used in turn. */
    private PartSlot free(ThreadParts mine) {
        PartSlot slot = next;
        for (int tried = 0; tried < MOST_TRIED; tried++) {
            if (slot == null) {
                slot = newest;
            }
            if (slot.claim(mine)) {
                next = slot.older;
                return slot;
            }
            slot = slot.older;
        }
        next = slot;
        return null;
    }

    /** The number of slots; 0 if the account has been closed. */
    int size() {
        PartSlot first = newest;
        return first == null ? 0 : first.number;
    }

    /**
     * Returns the slot in which the calling thread measures its part; null if it has none, or the account has been
     * closed.
     */
    PartSlot openIn(ThreadParts mine) {
        PartSlot slot = newest;
        while (slot != null && slot.user != mine) {
            slot = slot.older;
        }
        return slot;
    }

    private PartSlot add() {
        for (; ; ) {
            PartSlot older = newest;
            PartSlot slot = new PartSlot(this, older);
            if (NEWEST.compareAndSet(this, older, slot)) {
                if (slot.number == FEW + 1) {
                    known = new PartSlot[OWN_SLOTS];
                }
                return slot;
            }
        }
    }

    /** Reads the figures of all slots, one after the other, with the parts that run. */
    long[] sum() {
        PartSlot first = newest; // before the figures, because they are set before the slots go
        if (last != null) {
            return last.clone();
        }
        long[] figures = new long[PartSlot.FIGURES];
        ThreadParts mine = ThreadParts.ofThisThread();
        for (PartSlot slot = first; slot != null; slot = slot.older) {
            slot.addTo(figures, mine);
        }
        return figures;
    }

    /** CPU time of the parts that have ended. Makes no system call. */
    long endedCpuNs() {
        long cpuNs = 0;
        for (PartSlot slot = newest; slot != null; slot = slot.older) {
            cpuNs += slot.endedCpuNs();
        }
        return cpuNs;
    }

    boolean isAnyInUse() {
        PartSlot slot = newest;
        while (slot != null && !slot.isInUse()) {
            slot = slot.older;
        }
        return slot != null;
    }
}
