// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmh;

import java.nio.file.Paths;

/** What there is without threadclock, by JNI: the functions of {@code src/bench/c/bare_clocks.c}. */
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

    /** What the call by JNI alone costs: it is part of the others. */
    static native long nothing();

    /** The bare time-stamp counter, in TSC ticks. */
    static native long counter();

    /** The counter as a user time, in ns: by the arithmetic of a reading, and no more. */
    static native long counterAsUserTime();

    /** The clock id of the calling thread's user ticks, that names the thread. */
    static native int ownTidUserClockId();

    /** The one that means whoever calls. */
    static native int pid0UserClockId();

    /** Reads a clock, by one system call; ns. */
    static native long clockNs(int clockId);
}
