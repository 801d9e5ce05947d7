// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * Takes one consistent reading of a thread's times after another, without allocation: see {@link
 * ThreadClock#read(TimesHolder)}. All are 0 before the first.
 *
 * <p>Not thread-safe: one per thread. Holds 24 bytes outside the heap, which makes it dear to create and to collect:
 * keep it.
 */
public final class TimesHolder {
    private static final int CPU = 0;
    private static final int USER = 1;
    private static final int SYSTEM = 2;

    /** Outside the heap, where native code writes without a copy: half the cost of an array in it. */
    private final LongBuffer timesNs;

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
        timesNs = ByteBuffer.allocateDirect(3 * Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .asLongBuffer();
        address = stock == null ? NativeClock.address(timesNs) : 0;
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
        return stock == null ? CallingThread.read(address, this) : readStock();
    }

    private int readStock() {
        CpuTimes times = stock.read();
        timesNs.put(CPU, times.cpuTimeNs()).put(USER, times.userTimeNs()).put(SYSTEM, times.systemTimeNs());
        return 0;
    }
}
