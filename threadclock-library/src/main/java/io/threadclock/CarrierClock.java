// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/** The clocks of the platform threads that carry virtual ones. Times are ns; what fails returns a negative errno. */
class CarrierClock {
    static final int CPU = 0;
    static final int USER = 1;
    /** The carrier's, as the kernel numbers it. */
    static final int TID = 3;

    private static final int ADDRESS = 4;
    private static final int LONGS = 5;

    static final CarrierClock NATIVE = new CarrierClock();

    /**
     * Of each carrier: where its clock is written to, and the segment that is open on it. The JDK's own types, because
     * carriers live longer than class loaders.
     */
    private final ThreadLocal<Object[]> carriers = ThreadLocal.withInitial(() -> new Object[] {newTimes(), null});

    /** The calling one. */
    Object[] carrier() {
        return carriers.get();
    }

    /** Outside the heap, where native code writes without a copy. By the carrier itself. */
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

    /** Reads those of a carrier as others do: in one sequence with its own. Returns 0; -ESRCH: it has ended. */
    int observe(int tid, Total times) {
        return NativeAccounts.observe(tid, times);
    }

    /** The calling virtual thread's carrier's. */
    long cpuTimeNs() {
        return ThreadClock.figure(CallingThread.cpuTimeNs());
    }

    long userTimeNs() {
        return ThreadClock.figure(CallingThread.userTimeNs());
    }

    long systemTimeNs() {
        return ThreadClock.figure(CallingThread.systemTimeNs());
    }

    /** All three in one reading. */
    int copy(long[] timesNs) {
        return CallingThread.copy(timesNs);
    }
}
