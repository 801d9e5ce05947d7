// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/** The native functions of {@code jvm/java_threads.c}. */
final class NativeThreads {
    /** How many longs {@link #read} writes for a thread. */
    static final int LONGS = 4;

    static final int ID = 0;
    static final int CPU = 1;
    static final int USER = 2;
    /** 0: not known. */
    static final int TID = 3;

    /** In place of a CPU time. */
    static final long UNKNOWN = -1;

    static final long ENDED = -2;

    private NativeThreads() {}

    /** The platform threads that live; null where this JDK lists them in another way. */
    static native Thread[] all();

    /**
     * Writes id, CPU and user time, in ns, and tid of each thread, four longs each.
     *
     * @param threads none of them virtual
     */
    static native void read(Thread[] threads, long[] figures);

    /** How long ago the kernel started a thread of this process, in ns, up to 10 ms too much; -1: it has ended, or unknown. */
    static native long ageNs(int tid);
}
