// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/**
 * The JDK's own {@code ThreadMXBean}, for times that the native clock does not have. It is as expensive and as
 * consistent as that bean; user time is limited to CPU time.
 */
final class StockClock {
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

    /** Reads the calling thread. */
    CpuTimes read() {
        long userNs = threads.getCurrentThreadUserTime();
        long cpuNs = threads.getCurrentThreadCpuTime();
        if (cpuNs < 0 || userNs < 0) {
            throw new ClockUnavailableException(
                    "Reading ThreadMXBean, which was fallen back on: it answered -1. Somebody"
                            + " has switched thread CPU time off; switch it on by setThreadCpuTimeEnabled(true).");
        }
        return new CpuTimes(cpuNs, Math.min(userNs, cpuNs));
    }

    /** Reads another thread; null if it has ended, or its times are not available. */
    ThreadSample sample(long threadId, int tid, String name, Thread.State state, long takenAtNs) {
        long userNs = threads.getThreadUserTime(threadId);
        long cpuNs = threads.getThreadCpuTime(threadId);
        return userNs < 0 || cpuNs < 0
                ? null
                : new ThreadSample(threadId, tid, name, state, cpuNs, Math.min(userNs, cpuNs), takenAtNs);
    }

    List<ThreadSample> samples(long takenAtNs) {
        List<ThreadSample> samples = new ArrayList<>();
        for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
            ThreadSample sample = info == null
                    ? null
                    : sample(info.getThreadId(), 0, info.getThreadName(), info.getThreadState(), takenAtNs);
            if (sample != null) {
                samples.add(sample);
            }
        }
        return samples;
    }
}
