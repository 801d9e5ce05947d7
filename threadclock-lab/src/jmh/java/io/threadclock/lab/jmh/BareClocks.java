// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmh;

import java.nio.file.Paths;

/** The clocks that exist without threadclock, by JNI: the functions of {@code src/bench/c/bare_clocks.c}. */
final class BareClocks {
    /** Names the file that {@code make -C threadclock-native bench-library} builds. */
    static final String FILE_PROPERTY = "threadclock.benchmarks.library";

    private BareClocks() {}

    static {
        String file = System.getProperty(FILE_PROPERTY);
        if (file == null) {
            throw new IllegalStateException("Loading the clocks to compare with: -D" + FILE_PROPERTY
                    + " names no file. Build it by make -C threadclock-native bench-library, and give its path.");
        }
        System.load(Paths.get(file).toAbsolutePath().toString());
    }

    /** The cost of the call by JNI alone, which is part of the others. */
    static native long nothing();

    /** The bare time-stamp counter, in TSC ticks. */
    static native long counter();

    /** The counter as a user time, in ns, with only the arithmetic of a reading. */
    static native long counterAsUserTime();

    /** The clockid of the calling thread's user ticks, which contains its tid. */
    static native int ownTidUserClockId();

    /** The clockid that means the calling thread. */
    static native int pid0UserClockId();

    /** Reads a clock, by one system call; ns. */
    static native long clockNs(int clockId);
}
