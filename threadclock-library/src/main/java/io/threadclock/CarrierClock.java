// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

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
    private static final int LONGS = 5;

    /**
     * For each carrier, the buffer to which its clock is written, and the segment that is open on it. Both are the
     * JDK's own types, because carriers live longer than class loaders.
     */
    private final ThreadLocal<Object[]> carriers = new ThreadLocal<>();

    /** The entry of the calling carrier. */
    Object[] carrier() {
        Object[] entry = carriers.get();
        if (entry == null) {
            entry = new Object[] {newTimes(), null};
            carriers.set(entry);
        }
        return entry;
    }

    /**
     * Allocates a buffer outside the heap, where native code writes without a copy. The carrier itself must call it.
     */
    LongBuffer newTimes() {
        if (isOnCarrier()) { // the JDK refuses it in a moment
            throw new IllegalStateException("a virtual thread carries none");
        }
        LongBuffer times = ByteBuffer.allocateDirect(LONGS * Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .asLongBuffer();
        return times.put(TID, tid()).put(ADDRESS, address(times));
    }

    /** Reads the calling carrier's CPU and user time in one reading. */
    void read(LongBuffer times) {
        int error = read(times.get(ADDRESS), times);
        if (error != 0) {
            throw refused(error);
        }
    }

    /** Whether the calling thread is a virtual one that has a carrier. */
    abstract boolean isOnCarrier();

    /** The tid of the calling carrier. */
    abstract int tid();

    /** The address of a buffer outside the heap. */
    abstract long address(LongBuffer times);

    /** Writes the calling carrier's times there, which is in {@code owner}. */
    abstract int read(long address, LongBuffer owner);

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
