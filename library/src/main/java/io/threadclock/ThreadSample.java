// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * The cost of one thread since it started, at the time of a {@link ThreadsSnapshot}. CPU time = user time + system
 * time; immutable.
 *
 * @since 0.1
 */
public final class ThreadSample {
    private final long threadId;
    private final int tid;
    private final String name;
    private final Thread.State state;
    private final long cpuTimeNs;
    private final long userTimeNs;
    private final long takenAtNs;

    ThreadSample(
            long threadId, int tid, String name, Thread.State state, long cpuTimeNs, long userTimeNs, long takenAtNs) {
        this.threadId = threadId;
        this.tid = tid;
        this.takenAtNs = takenAtNs;
        this.name = name;
        this.state = state;
        this.cpuTimeNs = cpuTimeNs;
        this.userTimeNs = userTimeNs;
    }

    /**
     * {@return a sample of a thread of another process, for a {@link PoolAccumulator} of that process} Its tid is not
     * known, so that only a sample with the same id continues it.
     *
     * @param threadId tells it from all other threads of that process, ended ones too
     * @param name its name
     * @param cpuTimeNs user time + system time since it started, in ns
     * @param userTimeNs user time of that
     */
    public static ThreadSample ofOtherProcess(long threadId, String name, long cpuTimeNs, long userTimeNs) {
        return new ThreadSample(threadId, 0, name, Thread.State.RUNNABLE, cpuTimeNs, userTimeNs, 0);
    }

    /** {@return the Java thread id, as {@code ThreadMXBean} has it; never used again in a JVM} */
    public long threadId() {
        return threadId;
    }

    /**
     * {@return the kernel's id of the thread, as {@code top -H} and {@code jstack} ({@code nid}) show it; 0 if it is
     * not known} The kernel may give it to another thread later.
     */
    public int tid() {
        return tid;
    }

    /** {@return the thread's name at that time} */
    public String name() {
        return name;
    }

    /** {@return the thread's state shortly afterwards} */
    public Thread.State state() {
        return state;
    }

    /** {@return user time + system time, in ns; ≥ 0} */
    public long cpuTimeNs() {
        return cpuTimeNs;
    }

    /** {@return time in the program's own code, in ns; from 0 to the CPU time} */
    public long userTimeNs() {
        return userTimeNs;
    }

    /** {@return time in the kernel on behalf of the program, in ns; from 0 to the CPU time} */
    public long systemTimeNs() {
        return cpuTimeNs - userTimeNs;
    }

    /**
     * {@return whether this is the thread of an earlier sample, so that the difference of their times is its cost in
     * between}
     *
     * <p>This is true for the same Java thread, and for another Java thread that goes on in the same kernel thread:
     * after {@code main()} has returned, its thread becomes {@code DestroyJavaVM}, and native code that attaches its
     * thread to the JVM again gets a new Java thread each time. The kernel's counts then go on from where they were. If
     * only the tid is the same, the kernel may have to be asked when it started the thread, which takes some 10 µs. If
     * that is unknown, a thread that does not have less CPU time is taken as the same.
     *
     * @param earlier of the same JVM
     */
    public boolean continues(ThreadSample earlier) {
        if (threadId == earlier.threadId) {
            return true;
        }
        if (tid == 0 || tid != earlier.tid) {
            return false;
        }
        long ageNs = ThreadClock.isSupported() ? NativeThreads.ageNs(tid) : -1;
        return ageNs < 0 ? cpuTimeNs >= earlier.cpuTimeNs : ageNs >= System.nanoTime() - earlier.takenAtNs;
    }

    @Override
    public String toString() {
        return "thread " + threadId + " \"" + name + "\" " + state + ": " + new CpuTimes(cpuTimeNs, userTimeNs);
    }
}
