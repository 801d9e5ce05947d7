// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import java.nio.file.Paths;

/** The clocks that exist without threadclock, by JNI: the functions of {@code src/main/c/bare_clocks.c}. */
final class BareClocks {
    private static final String FILE_PROPERTY = "threadclock.bench.library";

    private static final int CLOCK_THREAD_CPUTIME_ID = 3;

    private BareClocks() {}

    static {
        String file = System.getProperty(FILE_PROPERTY);
        if (file == null) {
            throw new IllegalStateException("Loading the clocks to compare with: -D" + FILE_PROPERTY
                    + " names no file. Build it by make -C bench, and give its path.");
        }
        System.load(Paths.get(file).toAbsolutePath().toString());
    }

    /** The bare time-stamp counter, in TSC ticks. */
    static native long counter();

    /** Reads a clock, ns. */
    static native long clockNs(int clockId);

    /** CPU time of the calling thread, or of its carrier, by the kernel, ns. */
    static long cpuNs() {
        return clockNs(CLOCK_THREAD_CPUTIME_ID);
    }

    private static native void look(long[] cpuWallBeforeWallAfterSwitches);

    /** Sets what a virtual thread runs when it is mounted, which Java code of new JDKs must not. */
    static native void setRunnable(Thread thread, Runnable runnable);

    /** Runs it above a frame of native code, which pins a virtual thread to its carrier. */
    static native void runInNativeFrame(Runnable runnable);

    /** Reads the clocks of the calling thread. */
    static Look look() {
        long[] seen = new long[4];
        look(seen);
        return new Look(seen[0], seen[1], seen[2], seen[3]);
    }

    /**
     * The kernel's own figures of a thread at one moment.
     *
     * @param wallBeforeNs CLOCK_MONOTONIC_RAW just before the CPU clock was read, which may be interrupted
     * @param wallAfterNs CLOCK_MONOTONIC_RAW just after
     * @param switches how often the thread has been switched out
     */
    record Look(long cpuNs, long wallBeforeNs, long wallAfterNs, long switches) {}
}
