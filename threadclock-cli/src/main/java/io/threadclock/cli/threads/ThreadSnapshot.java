// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

/**
 * One thread at one moment. Times in ns since it started.
 *
 * @param tid as the process sees it
 * @param startNs when it started, since boot, rounded down to 10 ms: with the tid, one thread's alone
 * @param javaId 0: not known, or no thread of Java
 * @param name whole if it is known, else the kernel's, up to 15 bytes
 * @param cpuNs user time + system time
 * @param readNs the moment, as {@link System#nanoTime()}: up to some seconds before the snapshot, for a thread that sleeps
 * @param isNameAwaited whether its name may be another one soon, when the JVM has been asked for it
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
        boolean isNameAwaited) {
    /** Of one whose name is what it is. */
    public ThreadSnapshot(
            int tid, long startNs, long javaId, String name, ThreadKind kind, long cpuNs, long userNs, long readNs) {
        this(tid, startNs, javaId, name, kind, cpuNs, userNs, readNs, false);
    }

    public long systemNs() {
        return cpuNs - userNs;
    }

    /** Whether that is an earlier or later reading of the same thread. */
    public boolean isSameThread(ThreadSnapshot other) {
        return tid == other.tid && startNs == other.startNs;
    }

    ThreadSnapshot withTimes(long cpuNs, long userNs) {
        return new ThreadSnapshot(tid, startNs, javaId, name, kind, cpuNs, userNs, readNs, isNameAwaited);
    }
}
