// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * The cost of one thread in an interval. CPU time = user time + system time; immutable.
 *
 * @since 0.1
 */
public final class ThreadUsage {
    private final ThreadSample end;
    private final long cpuTimeNs;
    private final long userTimeNs;
    private final double usageRatio;

    ThreadUsage(ThreadSample end, long cpuTimeNs, long userTimeNs, long wallTimeNs) {
        this.end = end;
        this.cpuTimeNs = cpuTimeNs;
        this.userTimeNs = userTimeNs;
        this.usageRatio = wallTimeNs > 0 ? (double) cpuTimeNs / wallTimeNs : 0;
    }

    /** {@return the Java thread id} */
    public long threadId() {
        return end.threadId();
    }

    /** {@return the thread's name at the interval's end} */
    public String name() {
        return end.name();
    }

    /** {@return the thread's state at the interval's end} */
    public Thread.State state() {
        return end.state();
    }

    /** {@return user time + system time in the interval, in ns; ≥ 0} */
    public long cpuTimeNs() {
        return cpuTimeNs;
    }

    /** {@return time in the program's own code in the interval, in ns; from 0 to the CPU time} */
    public long userTimeNs() {
        return userTimeNs;
    }

    /** {@return time in the kernel on behalf of the program in the interval, in ns; from 0 to the CPU time} */
    public long systemTimeNs() {
        return cpuTimeNs - userTimeNs;
    }

    /**
     * {@return CPU time ÷ wall time: 1 is one CPU all the time} Threads are read one after the other, so a short
     * interval may show a little more than 1. It is 0 for an interval without length.
     */
    public double usageRatio() {
        return usageRatio;
    }

    @Override
    public String toString() {
        return "thread " + threadId() + " \"" + name() + "\" " + state() + ": " + new CpuTimes(cpuTimeNs, userTimeNs);
    }
}
