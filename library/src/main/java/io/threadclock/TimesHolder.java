// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * Takes consistent readings of a thread's times, one after another, without allocation: see
 * {@link ThreadClock#read(TimesHolder)}. All times are 0 before the first reading. How the thread has waited is
 * unknown, -1, after a reading without waits, which {@link ThreadClock#readWithWaits(TimesHolder)} takes too, and in a
 * holder that a virtual thread has created.
 *
 * <p>Not thread-safe: use one per thread. It holds 56 bytes outside the heap, which are expensive to create and to
 * collect, so keep it. If a virtual thread creates it, or {@link ThreadClock#isSupported()} is false, the bytes are in
 * the heap, where they are cheap, and a reading costs some ns more.
 *
 * @since 0.1
 */
public final class TimesHolder {
    private static final int CPU = 0;
    private static final int USER = 1;
    private static final int SYSTEM = 2;
    private static final int RUN_DELAY = 3;
    private static final int VOLUNTARY_SWITCHES = 4;
    private static final int INVOLUNTARY_SWITCHES = 5;
    private static final int WALL = 6;
    private static final int FIGURES = 7;

    /** The buffer outside the heap, where native code writes without a copy. An array would cost twice as much. */
    private final LongBuffer figures;

    /** The buffer's address; 0 if it is in the heap. */
    private final long address;

    /** Where a virtual thread's clock writes to, because it has no address of its own; null before it does. */
    private long[] read;

    /** Whether the last reading has waits. */
    private boolean hasWaits;

    /** Allocates the 56 bytes. */
    public TimesHolder() {
        boolean isInHeap = !ThreadClock.isSupported() || Measurability.hasCarrier();
        figures = isInHeap ? LongBuffer.wrap(new long[FIGURES]) : outsideTheHeap();
        address = isInHeap ? 0 : NativeClock.address(figures);
    }

    private static LongBuffer outsideTheHeap() {
        return ByteBuffer.allocateDirect(FIGURES * Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .asLongBuffer();
    }

    /** {@return user time + system time, in ns since the thread started} */
    public long cpuTimeNs() {
        return figures.get(CPU);
    }

    /** {@return time in the program's own code, in ns since the thread started} */
    public long userTimeNs() {
        return figures.get(USER);
    }

    /** {@return time in the kernel on behalf of the program, in ns since the thread started} */
    public long systemTimeNs() {
        return figures.get(SYSTEM);
    }

    /**
     * {@return run-queue delay: time in which the thread wanted to run and had no CPU, in ns since it started; -1 if
     * that is unknown} See {@link ThreadWaits#runDelayNs()}.
     */
    public long runDelayNs() {
        return wait(RUN_DELAY);
    }

    /** {@return how often the thread has given up its CPU itself since it started; -1 if that is unknown} */
    public long voluntarySwitches() {
        return wait(VOLUNTARY_SWITCHES);
    }

    /** {@return how often the thread has been switched out against its will since it started; -1 if that is unknown} */
    public long involuntarySwitches() {
        return wait(INVOLUNTARY_SWITCHES);
    }

    /**
     * Wall time, of {@link System#nanoTime()}, at the last reading with waits; the times are of that moment, or of a
     * later one.
     */
    long wallNs() {
        return figures.get(WALL);
    }

    private long wait(int index) {
        return hasWaits ? figures.get(index) : ThreadWaits.UNKNOWN;
    }

    /** Returns 0, or a negative errno. */
    int readWithWaits() {
        if (address == 0) {
            figures.put(WALL, System.nanoTime());
            return read();
        }
        int error = CallingThread.readWithWaits(address, this);
        hasWaits |= error == 0;
        return error;
    }

    /** Returns 0, or a negative errno. */
    int read() {
        int error = address != 0 ? CallingThread.read(address, this) : readIntoHeap();
        hasWaits &= error != 0;
        return error;
    }

    private int readIntoHeap() {
        return ThreadClock.isSupported() ? CallingThread.copy(figures.array()) : readStock();
    }

    /** Reads the calling virtual thread by its clock. Returns 0, or a negative errno. */
    int readVirtual() {
        if (address == 0) {
            return BootClocks.read(figures.array());
        }
        if (read == null) {
            read = new long[3];
        }
        int error = BootClocks.read(read);
        hasWaits &= error != 0;
        if (error == 0) {
            figures.put(CPU, read[CPU]).put(USER, read[USER]).put(SYSTEM, read[SYSTEM]);
        }
        return error;
    }

    /** As {@link #readVirtual}, with the wall time. */
    int readVirtualWithWall() {
        figures.put(WALL, System.nanoTime());
        return readVirtual();
    }

    private int readStock() {
        take(ThreadClock.stockClock().read());
        return 0;
    }

    /** Holds these times, without waits. */
    void take(CpuTimes times) {
        figures.put(CPU, times.cpuTimeNs()).put(USER, times.userTimeNs()).put(SYSTEM, times.systemTimeNs());
        hasWaits = false;
    }
}
