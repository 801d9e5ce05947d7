// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * The clocks of the platform threads that carry virtual ones. Times are ns; a method that fails returns a negative
 * errno.
 */
class CarrierClock {
    static final int CPU = 0;
    static final int USER = 1;
    /** The index of the carrier's tid. */
    static final int TID = 3;

    private static final int ADDRESS = 4;
    private static final int LONGS = 5;

    static final CarrierClock NATIVE = new CarrierClock();

    /**
     * For each carrier, the buffer to which its clock is written, and the segment that is open on it. Both are the
     * JDK's own types, because carriers live longer than class loaders.
     */
    private final ThreadLocal<Object[]> carriers = ThreadLocal.withInitial(() -> new Object[] {newTimes(), null});

    /** The entry of the calling carrier. */
    Object[] carrier() {
        return carriers.get();
    }

    /**
     * Allocates a buffer outside the heap, where native code writes without a copy. The carrier itself must call it.
     */
    LongBuffer newTimes() {
        if (Accounting.hasCarrier()) { // the JDK refuses it in a moment
            throw new IllegalStateException("a virtual thread carries none");
        }
        LongBuffer times = ByteBuffer.allocateDirect(LONGS * Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .asLongBuffer();
        return times.put(TID, NativeAccounts.tid()).put(ADDRESS, NativeClock.address(times));
    }

    /** Reads the calling carrier's CPU and user time in one reading. */
    void read(LongBuffer times) {
        int error = CallingThread.read(times.get(ADDRESS), times);
        if (error != 0) {
            throw ThreadClock.refused(error);
        }
    }

    /**
     * Reads a carrier's CPU and user time from another thread, in one sequence with the carrier's own readings. Returns
     * 0, or -ESRCH if the carrier has ended.
     */
    int observe(int tid, Total times) {
        return NativeAccounts.observe(tid, times);
    }

    /** CPU time of the carrier that the calling virtual thread is mounted on. */
    long cpuTimeNs() {
        return ThreadClock.figure(CallingThread.cpuTimeNs());
    }

    long userTimeNs() {
        return ThreadClock.figure(CallingThread.userTimeNs());
    }

    long systemTimeNs() {
        return ThreadClock.figure(CallingThread.systemTimeNs());
    }

    /** Reads all three times in one reading. */
    int copy(long[] timesNs) {
        return CallingThread.copy(timesNs);
    }
}
