// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/** The native functions of {@code jvm/java_threads.c}. */
final class NativeThreads {
    /** How many longs {@link #read} writes for a thread. */
    static final int LONGS = 3;

    static final int ID = 0;
    static final int CPU = 1;
    static final int USER = 2;

    /** In place of a CPU time. */
    static final long UNKNOWN = -1;

    static final long ENDED = -2;

    private NativeThreads() {}

    /** The platform threads that live; null where this JDK lists them in another way. */
    static native Thread[] all();

    /**
     * Writes id, CPU and user time of each thread, in ns, three longs each.
     *
     * @param threads none of them virtual
     */
    static native void read(Thread[] threads, long[] figures);
}
