// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.List;
import java.util.regex.Pattern;

/** Samples of threads, and the usage of accounts, that do not exist. */
public final class Samples {
    private static final Pattern THREAD = Pattern.compile("(\\d+)(?:@(\\d+))?:(\\S+) (\\d+)\\+(\\d+)");

    private Samples() {}

    /** Threads of one moment, each written {@code ID:NAME USER_NS+SYSTEM_NS}, or {@code ID@TID:…} if the kernel knows it. */
    public static List<ThreadSample> of(String threads) {
        return THREAD.matcher(threads)
                .results()
                .map(thread -> {
                    int tid = thread.group(2) == null ? 0 : Integer.parseInt(thread.group(2));
                    long userNs = Long.parseLong(thread.group(4));
                    long cpuNs = userNs + Long.parseLong(thread.group(5));
                    long id = Long.parseLong(thread.group(1));
                    return new ThreadSample(id, tid, thread.group(3), Thread.State.RUNNABLE, cpuNs, userNs, 0);
                })
                .toList();
    }

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
