// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/**
 * The JDK's own {@code ThreadMXBean}, for what the native clock does not know. Costs what it costs, and is as consistent
 * as it is; user time is cut to CPU time. Times are ns; -1 of a thread that has ended, or where it cannot tell.
 */
final class StockClock {
    private static final int CPU = 0;
    private static final int USER = 1;
    private static final int SYSTEM = 2;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    private StockClock() {}

    /** Null where the runtime has no {@code java.management}, or its JVM does not tell CPU times. */
    static StockClock find() {
        try {
            StockClock clock = new StockClock();
            return clock.threads.isCurrentThreadCpuTimeSupported() ? clock : null;
        } catch (LinkageError noManagement) {
            return null;
        }
    }

    long cpuTimeNs() {
        return threads.getCurrentThreadCpuTime();
    }

    long userTimeNs() {
        long userNs = threads.getCurrentThreadUserTime();
        return Math.min(userNs, threads.getCurrentThreadCpuTime());
    }

    /** Writes CPU, user and system time of the calling thread. */
    void read(long[] timesNs) {
        long userNs = threads.getCurrentThreadUserTime();
        timesNs[CPU] = threads.getCurrentThreadCpuTime();
        timesNs[USER] = Math.min(userNs, timesNs[CPU]);
        timesNs[SYSTEM] = timesNs[CPU] - timesNs[USER];
    }

    /** Null if the thread has ended, or its times are not told. */
    ThreadSample sample(long threadId, String name, Thread.State state) {
        long userNs = threads.getThreadUserTime(threadId);
        long cpuNs = threads.getThreadCpuTime(threadId);
        return userNs < 0 || cpuNs < 0
                ? null
                : new ThreadSample(threadId, name, state, cpuNs, Math.min(userNs, cpuNs));
    }

    List<ThreadSample> samples() {
        List<ThreadSample> samples = new ArrayList<>();
        for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
            ThreadSample sample =
                    info == null ? null : sample(info.getThreadId(), info.getThreadName(), info.getThreadState());
            if (sample != null) {
                samples.add(sample);
            }
        }
        return samples;
    }
}
