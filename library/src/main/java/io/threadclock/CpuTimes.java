// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import org.jspecify.annotations.Nullable;

/**
 * One consistent reading of a thread's times since it started. CPU time = user time + system time; immutable.
 *
 * @since 0.1
 */
public final class CpuTimes {
    private final long cpuTimeNs;
    private final long userTimeNs;

    CpuTimes(long cpuTimeNs, long userTimeNs) {
        this.cpuTimeNs = cpuTimeNs;
        this.userTimeNs = userTimeNs;
    }

    /**
     * {@return these times as a value, for a {@link CpuClock} of a test}
     *
     * @param cpuTimeNs user time + system time, in ns
     * @param userTimeNs in ns
     * @throws IllegalArgumentException unless 0 ≤ user time ≤ CPU time
     */
    public static CpuTimes of(long cpuTimeNs, long userTimeNs) {
        if (userTimeNs < 0 || userTimeNs > cpuTimeNs) {
            throw new IllegalArgumentException("Times of a thread: user time is from 0 to CPU time, but they are "
                    + userTimeNs + " and " + cpuTimeNs + " ns.");
        }
        return new CpuTimes(cpuTimeNs, userTimeNs);
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
    public boolean equals(@Nullable Object other) {
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
