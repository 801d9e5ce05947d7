// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.nio.file.Path;

/** Reads the kernel's clocks through libc alone, without threadclock. */
public final class KernelClock {
    /** Names the file that {@code make -C threadclock-native bench-library} builds. */
    public static final String FILE_PROPERTY = "threadclock.benchmarks.library";

    private KernelClock() {}

    static void load() {
        System.load(Path.of(System.getProperty(FILE_PROPERTY)).toAbsolutePath().toString());
    }

    /** Reads the clocks of the calling thread. */
    static Look look() {
        long[] seen = new long[4];
        look(seen);
        return new Look(seen[0], seen[1], seen[2], seen[3]);
    }

    private static native void look(long[] seen);

    /** Reads the CPU clock of the calling thread, or of its carrier. */
    static native long cpuNs();

    /**
     * The kernel's own figures of a thread at one moment.
     *
     * @param cpuNs the thread's CPU clock
     * @param wallBeforeNs CLOCK_MONOTONIC_RAW just before; there are two, because the thread may be interrupted in between
     * @param wallAfterNs CLOCK_MONOTONIC_RAW just after
     * @param switches how often the thread has been switched out
     */
    record Look(long cpuNs, long wallBeforeNs, long wallAfterNs, long switches) {}
}
