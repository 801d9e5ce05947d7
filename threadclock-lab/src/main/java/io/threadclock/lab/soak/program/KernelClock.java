// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

import java.nio.file.Path;

/** Asks the kernel through libc alone: nothing of threadclock is in the way. */
final class KernelClock {
    /** Names the file that {@code make -C threadclock-native bench-library} builds. */
    static final String FILE_PROPERTY = "threadclock.benchmarks.library";

    private KernelClock() {}

    static void load() {
        System.load(Path.of(System.getProperty(FILE_PROPERTY)).toAbsolutePath().toString());
    }

    /** Of the calling thread. */
    static KernelLook look() {
        long[] seen = new long[4];
        look(seen);
        return new KernelLook(seen[0], seen[1], seen[2], seen[3]);
    }

    private static native void look(long[] seen);
}
