// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/** Samples of threads that do not exist. */
public final class Samples {
    private Samples() {}

    /** A thread that has used this many ns of each. */
    public static ThreadSample of(long threadId, String name, long userNs, long systemNs) {
        return ofTid(0, threadId, name, userNs, systemNs);
    }

    /** A thread that the kernel knows, too. All samples are of one moment. */
    public static ThreadSample ofTid(int tid, long threadId, String name, long userNs, long systemNs) {
        return new ThreadSample(threadId, tid, name, Thread.State.RUNNABLE, userNs + systemNs, userNs, 0);
    }
}
