// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * Takes consistent readings of a thread's times, one after another, without allocation: see {@link
 * ThreadClock#read(TimesHolder)}. All times are 0 before the first reading.
 *
 * <p>Not thread-safe: use one per thread. It holds 24 bytes outside the heap, which are expensive to create and to
 * collect, so keep it. If a virtual thread creates it, the bytes are in the heap, where they are cheap, and a reading
 * costs some ns more.
 */
public final class TimesHolder {
    private static final int CPU = 0;
    private static final int USER = 1;
    private static final int SYSTEM = 2;
    private static final int TIMES = 3;

    /** The buffer outside the heap, where native code writes without a copy. An array would cost twice as much. */
    private final LongBuffer timesNs;

    /** The buffer's address; 0 if it is in the heap. */
    private final long address;

    /** Null where the native clock fills the buffer. */
    private final StockClock stock;

    /**
     * Allocates the 24 bytes.
     *
     * @throws ClockUnavailableException if {@link ThreadClock#isSupported()} is false and nobody has fallen back on {@code
     *     ThreadMXBean}
     */
    public TimesHolder() {
        stock = ThreadClock.stockClockUnlessSupported();
        boolean isInHeap = stock != null || Accounting.hasCarrier();
        timesNs = isInHeap ? LongBuffer.wrap(new long[TIMES]) : outsideTheHeap();
        address = isInHeap ? 0 : NativeClock.address(timesNs);
    }

    private static LongBuffer outsideTheHeap() {
        return ByteBuffer.allocateDirect(TIMES * Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .asLongBuffer();
    }

    /** {@return user time + system time, in ns since the thread started} */
    public long cpuTimeNs() {
        return timesNs.get(CPU);
    }

    /** {@return time in the program's own code, in ns since the thread started} */
    public long userTimeNs() {
        return timesNs.get(USER);
    }

    /** {@return time in the kernel on behalf of the program, in ns since the thread started} */
    public long systemTimeNs() {
        return timesNs.get(SYSTEM);
    }

    /** Returns 0, or a negative errno. */
    int read() {
        if (address != 0) {
            return CallingThread.read(address, this);
        }
        return stock == null ? CallingThread.copy(timesNs.array()) : readStock();
    }

    /** Reads the calling virtual thread by the agent's account. Returns 0, or a negative errno. */
    int readBy(Runnable account) {
        long[] read = address == 0 ? timesNs.array() : new long[TIMES];
        int error = AgentAccounts.read(account, read);
        if (address != 0 && error == 0) {
            timesNs.put(CPU, read[CPU]).put(USER, read[USER]).put(SYSTEM, read[SYSTEM]);
        }
        return error;
    }

    /** Adds what the virtual thread had used on other mounts to the reading of its carrier. */
    void add(long cpuNs, long userNs) {
        timesNs.put(CPU, timesNs.get(CPU) + cpuNs)
                .put(USER, timesNs.get(USER) + userNs)
                .put(SYSTEM, timesNs.get(SYSTEM) + cpuNs - userNs);
    }

    private int readStock() {
        CpuTimes times = stock.read();
        timesNs.put(CPU, times.cpuTimeNs()).put(USER, times.userTimeNs()).put(SYSTEM, times.systemTimeNs());
        return 0;
    }
}
