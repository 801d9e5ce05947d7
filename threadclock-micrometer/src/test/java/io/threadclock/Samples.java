// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/** Samples of threads, and the usage of accounts, that do not exist. */
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

    /** The usage of one part. */
    public static AccountUsage usage(long cpuNs, long userNs, long runDelayNs, long notRunningNs, long unknownWaits) {
        long[] figures = new long[PartSlot.FIGURES];
        figures[PartSlot.CPU] = cpuNs;
        figures[PartSlot.USER] = userNs;
        figures[PartSlot.RUN_DELAY] = runDelayNs;
        figures[PartSlot.NOT_RUNNING] = notRunningNs;
        figures[PartSlot.WALL] = cpuNs + runDelayNs + notRunningNs;
        figures[PartSlot.UNKNOWN_WAITS] = unknownWaits;
        figures[PartSlot.PARTS] = 1;
        figures[PartSlot.THREADS] = 1;
        return new AccountUsage(figures);
    }
}
