// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The JDK's own {@code ThreadMXBean}, for times that the native clock does not have. It is as expensive as that bean.
 * What the bean says of a thread contradicts itself, because it counts user time in ticks: it steps back, and grows by
 * more than CPU time. Here all readings of a thread form one sequence, in which neither happens, whoever reads it.
 */
final class StockClock {
    /** There is an entry for each thread that was read, until the ended ones are forgotten at this many. */
    private static final int FEW = 256;

    private final ThreadMXBean threads;
    private final Map<Long, Told> told = new ConcurrentHashMap<>();
    private volatile int most = FEW;

    StockClock(ThreadMXBean threads) {
        this.threads = threads;
    }

    /** Null where the runtime has no {@code java.management}, or its JVM does not tell CPU times. */
    static StockClock find() {
        try {
            StockClock clock = new StockClock(ManagementFactory.getThreadMXBean());
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
            throw new ClockUnavailableException("Reading ThreadMXBean instead of the clock: it answered -1. Somebody"
                    + " has switched thread CPU time off; switch it on by setThreadCpuTimeEnabled(true).");
        }
        return toldOf(Thread.currentThread().getId()).next(cpuNs, userNs);
    }

    /** Reads another thread; null if it has ended, or its times are not available. */
    ThreadSample sample(long threadId, int tid, String name, Thread.State state, long takenAtNs) {
        long userNs = threads.getThreadUserTime(threadId);
        long cpuNs = threads.getThreadCpuTime(threadId);
        if (userNs < 0 || cpuNs < 0) {
            return null;
        }
        CpuTimes times = toldOf(threadId).next(cpuNs, userNs);
        return new ThreadSample(threadId, tid, name, state, times.cpuTimeNs(), times.userTimeNs(), takenAtNs);
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

    /** How many threads it remembers. */
    int remembered() {
        return told.size();
    }

    private Told toldOf(long threadId) {
        Told known = told.get(threadId);
        if (known != null) {
            return known;
        }
        if (told.size() >= most) {
            forgetEnded();
        }
        return told.computeIfAbsent(threadId, first -> new Told());
    }

    /** The JVM gives no id twice, so an ended thread is read no more. */
    private void forgetEnded() {
        Set<Long> living = new HashSet<>();
        for (long id : threads.getAllThreadIds()) {
            living.add(id);
        }
        told.keySet().retainAll(living);
        most = Math.max(FEW, 2 * told.size());
    }

    /** The last figures of a thread. */
    private static final class Told {
        private long cpuNs;
        private long userNs;

        /** Limits a reading. Another thread may have begun later, and told before. */
        synchronized CpuTimes next(long readCpuNs, long readUserNs) {
            long laterCpuNs = Math.max(cpuNs, readCpuNs);
            userNs = Math.max(userNs, Math.min(readUserNs, userNs + laterCpuNs - cpuNs));
            cpuNs = laterCpuNs;
            return new CpuTimes(cpuNs, userNs);
        }
    }
}
