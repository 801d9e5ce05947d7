// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/** One consistent reading of a thread's times since it started. CPU time = user time + system time; immutable. */
public final class CpuTimes {
    private final long cpuTimeNs;
    private final long userTimeNs;

    CpuTimes(long cpuTimeNs, long userTimeNs) {
        this.cpuTimeNs = cpuTimeNs;
        this.userTimeNs = userTimeNs;
    }

    /** {@return user time + system time, in ns} */
    public long cpuTimeNs() {
        return cpuTimeNs;
    }

    /** {@return time in the program's own code, in ns} */
    public long userTimeNs() {
        return userTimeNs;
    }

    /** {@return time in the kernel on behalf of the program, in ns} */
    public long systemTimeNs() {
        return cpuTimeNs - userTimeNs;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CpuTimes
                && ((CpuTimes) other).cpuTimeNs == cpuTimeNs
                && ((CpuTimes) other).userTimeNs == userTimeNs;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(cpuTimeNs) + Long.hashCode(userTimeNs);
    }

    @Override
    public String toString() {
        return "CPU " + cpuTimeNs + " ns = user " + userTimeNs + " ns + system " + systemTimeNs() + " ns";
    }
}
