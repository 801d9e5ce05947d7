// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

/**
 * One thread at one moment. Times in ns since it started.
 *
 * @param tid as the process sees it
 * @param startNs when it started, since boot, rounded down to 10 ms; together with the tid it identifies the thread
 * @param javaId 0: not known, or not a Java thread
 * @param name whole if it is known, else the kernel's, up to 15 bytes
 * @param cpuNs user time + system time
 * @param readNs the moment, as {@link System#nanoTime()}: for a thread that sleeps, up to some seconds before the
 *     snapshot
 * @param isNameAwaited whether its name may change soon, when the JVM has been asked for it
 * @param sched how it has waited for CPUs; null: not known
 */
public record ThreadSnapshot(
        int tid,
        long startNs,
        long javaId,
        String name,
        ThreadKind kind,
        long cpuNs,
        long userNs,
        long readNs,
        boolean isNameAwaited,
        SchedStat sched) {
    /** The JVM may be asked for whole names only every ten seconds, and takes a while to answer. */
    public static final long LONGEST_NAME_WAIT_NS = 12_000_000_000L;

    /** A thread whose name will not change, and of whose waits nothing is known. */
    public ThreadSnapshot(
            int tid, long startNs, long javaId, String name, ThreadKind kind, long cpuNs, long userNs, long readNs) {
        this(tid, startNs, javaId, name, kind, cpuNs, userNs, readNs, false, null);
    }

    public long systemNs() {
        return cpuNs - userNs;
    }

    /** Whether the other one is an earlier or later reading of the same thread. */
    public boolean isSameThread(ThreadSnapshot other) {
        return tid == other.tid && startNs == other.startNs;
    }

    ThreadSnapshot withSched(SchedStat sched) {
        return new ThreadSnapshot(tid, startNs, javaId, name, kind, cpuNs, userNs, readNs, isNameAwaited, sched);
    }

    ThreadSnapshot withTimes(long cpuNs, long userNs) {
        return new ThreadSnapshot(tid, startNs, javaId, name, kind, cpuNs, userNs, readNs, isNameAwaited, sched);
    }
}
