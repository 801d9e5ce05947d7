// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * The clocks of the platform threads that carry virtual ones. Times are ns; a method that fails returns a negative
 * errno.
 */
abstract class CarrierClock {
    static final int CPU = 0;
    static final int USER = 1;
    static final int SYSTEM = 2;
    /** The index of the carrier's tid. */
    static final int TID = 3;

    private static final int ADDRESS = 4;

    /**
     * Each carrier has two values: its page, to which its clock is written, and the segment that is open on it. Both
     * are the JDK's own types, because carriers live longer than class loaders.
     */
    private final ThreadLocal<Object[]> carriers = new ThreadLocal<>();

    private final VirtualPools pools = new VirtualPools(this);

    /** The entry of the calling carrier. */
    Object[] carrier() {
        Object[] entry = carriers.get();
        if (entry == null) {
            entry = new Object[] {newTimes(), null};
            carriers.set(entry);
        }
        return entry;
    }

    /** Returns the page of the calling carrier, which has it until it ends. */
    LongBuffer newTimes() {
        if (isOnCarrier()) { // the JDK refuses it in a moment
            throw new IllegalStateException("a virtual thread carries none");
        }
        ByteBuffer page = page();
        if (page == null) {
            throw new IllegalStateException("the process has no memory for another carrier");
        }
        return page.order(ByteOrder.nativeOrder()).asLongBuffer();
    }

    /** Makes the calling thread no carrier. */
    void forgetCarrier() {
        carriers.remove();
    }

    /**
     * Reads the calling carrier's CPU and user time in one reading, and books the time since its last reading.
     *
     * @param next what begins: a pool of {@link VirtualPools}, and its bits
     */
    void read(LongBuffer times, int next) {
        int error = read(times.get(ADDRESS), next);
        if (error != 0) {
            throw refused(error);
        }
    }

    /** The thread that is mounted by a Runnable of the JDK; null if it is not known. */
    Thread threadOf(Runnable runnable) {
        return MountedThread.of(runnable, this);
    }

    /** The pool of a thread's name. */
    final int poolOf(Thread thread) {
        return pools.of(thread.getName());
    }

    /** Whether the calling thread is a virtual one that has a carrier. */
    abstract boolean isOnCarrier();

    /** The page of the calling carrier, in memory of the process; null: there is none left. */
    abstract ByteBuffer page();

    /** Reads the calling carrier's clock to the page at this address, and books. */
    abstract int read(long address, int next);

    /** The index of the pool with this name; {@link VirtualPools#OTHERS}: there are too many. */
    abstract int poolNamed(String name);

    /** Gets the thread from a Runnable of this class; null if it has none. */
    abstract MethodHandle threadGetter(Class<?> type);

    /**
     * Reads a carrier's CPU and user time from another thread, in one sequence with the carrier's own readings. Returns
     * 0, or -ESRCH if the carrier has ended.
     */
    abstract int observe(int tid, Total times);

    /** CPU time of the carrier that the calling virtual thread is mounted on. */
    abstract long cpuTimeNs();

    abstract long userTimeNs();

    abstract long systemTimeNs();

    /** Reads all three times in one reading. */
    abstract int copy(long[] timesNs);

    /** The exception for a carrier's clock that cannot be read. */
    abstract RuntimeException refused(int error);

    /** The exception for a virtual thread whose carrier's clock other threads cannot read. */
    abstract RuntimeException unreadable();

    /** The exception for a virtual thread whose total is lost. */
    abstract RuntimeException lost();
}
