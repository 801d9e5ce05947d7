// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/** The native functions of {@code jvm/java_threads.c}. */
final class NativeThreads {
    /** The number of longs that {@link #read} writes for each thread. */
    static final int LONGS = 4;

    /** The index of the Java thread id, which is 0 if this JVM's threads have other fields. */
    static final int ID = 0;

    static final int CPU = 1;
    static final int USER = 2;
    /** The index of the tid, which is 0 if it is not known. */
    static final int TID = 3;

    /** Stands in place of the CPU time if it is not known. */
    static final long UNKNOWN = -1;

    static final long ENDED = -2;

    private NativeThreads() {}

    /** Lists the living platform threads; null if this JDK keeps its list in another way. */
    static native Thread[] all();

    /**
     * Writes id, CPU and user time, in ns, and tid of each thread, four longs each.
     *
     * @param threads platform threads only
     */
    static native void read(Thread[] threads, long[] figures);

    /**
     * Returns how long ago the kernel started a thread of this process, in ns, up to 10 ms too much; -1 if the thread
     * has ended, or this is unknown.
     */
    static native long ageNs(int tid);
}
