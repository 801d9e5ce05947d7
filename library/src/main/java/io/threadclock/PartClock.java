// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * The clock by which one thread measures its parts, and reads those of other threads. No failure keeps it from its
 * work.
 */
class PartClock {
    /** There is one for all parts of the thread, because it is expensive to create. Null before the first reading. */
    private TimesHolder times;

    /**
     * Reads the calling thread, to the first figures of {@link PartSlot}, and returns whether that was possible. The
     * wall time is of the same moment as the others, or of an earlier one.
     */
    boolean read(long[] figures) {
        TimesHolder read = times;
        try {
            if (!ThreadClock.canRead()) {
                return false;
            }
            if (read == null) {
                times = read = new TimesHolder();
            }
            ThreadClock.readWithWaits(read);
        } catch (Throwable failed) { // no clock, no memory, no stack
            return false;
        }
        figures[PartSlot.WALL] = read.wallNs();
        figures[PartSlot.CPU] = read.cpuTimeNs();
        figures[PartSlot.USER] = read.userTimeNs();
        figures[PartSlot.VOLUNTARY] = read.voluntarySwitches();
        figures[PartSlot.INVOLUNTARY] = read.involuntarySwitches();
        figures[PartSlot.RUN_DELAY] =
                figures[PartSlot.VOLUNTARY] == ThreadWaits.UNKNOWN ? ThreadWaits.UNKNOWN : read.runDelayNs();
        return true;
    }

    /**
     * Reads another thread in the same way, without its waits: the kernel adds a wait when it is over, so nobody else
     * can tell a thread that waits for a CPU from one that sleeps.
     */
    boolean read(Thread thread, long[] figures) {
        figures[PartSlot.WALL] = wallNsFor(thread);
        CpuTimes read = ThreadsSnapshot.readOrNull(thread);
        if (read == null) {
            return false;
        }
        figures[PartSlot.CPU] = read.cpuTimeNs();
        figures[PartSlot.USER] = read.userTimeNs();
        figures[PartSlot.RUN_DELAY] = ThreadWaits.UNKNOWN;
        return true;
    }

    /** Wall time by the clock by which that thread reads its own. */
    private static long wallNsFor(Thread thread) {
        return ThreadClock.isSupported() && !Measurability.hasCarrier(thread)
                ? NativeClock.wallNs()
                : System.nanoTime();
    }

    /** Bytes that the calling thread has allocated; -1 if that is unknown. */
    long allocatedBytes() {
        return AllocatedBytes.ofCallingThread();
    }
}
