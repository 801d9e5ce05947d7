// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * What one thread had cost since it started, when a {@link ThreadTimes} was taken. CPU time = user time + system time;
 * immutable.
 */
public final class ThreadSample {
    private final long threadId;
    private final String name;
    private final Thread.State state;
    private final long cpuTimeNs;
    private final long userTimeNs;

    ThreadSample(long threadId, String name, Thread.State state, long cpuTimeNs, long userTimeNs) {
        this.threadId = threadId;
        this.name = name;
        this.state = state;
        this.cpuTimeNs = cpuTimeNs;
        this.userTimeNs = userTimeNs;
    }

    /** {@return the Java thread id, as {@code ThreadMXBean} has it; never used again in a JVM} */
    public long threadId() {
        return threadId;
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

    @Override
    public String toString() {
        return "thread " + threadId + " \"" + name + "\" " + state + ": CPU " + cpuTimeNs + " ns = user " + userTimeNs
                + " ns + system " + systemTimeNs() + " ns";
    }
}
