// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/** Pools of virtual threads, and the usage of accounts, that do not exist. */
public final class Samples {
    private Samples() {}

    /** A pool of virtual threads. */
    public static VirtualPoolTimes pool(String name, long userNs, long systemNs, long mounts, long threads) {
        return new VirtualPoolTimes(name, userNs + systemNs, userNs, mounts, threads);
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
