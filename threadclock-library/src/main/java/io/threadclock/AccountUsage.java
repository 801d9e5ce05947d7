// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * The usage of a {@link CpuAccount} up to one reading. User time + system time = CPU time, and CPU time is at most wall
 * time; immutable.
 */
public final class AccountUsage {
    private final long[] figures;

    /** Takes figures by the indexes of {@link PartSlot}. */
    AccountUsage(long[] figures) {
        this.figures = figures;
    }

    /** {@return user time + system time of all parts, in ns; ≥ 0} */
    public long cpuTimeNs() {
        return figures[PartSlot.CPU];
    }

    /** {@return time in the program's own code, in ns; from 0 to the CPU time} */
    public long userTimeNs() {
        return figures[PartSlot.USER];
    }

    /** {@return time in the kernel on behalf of the program, in ns; from 0 to the CPU time} */
    public long systemTimeNs() {
        return cpuTimeNs() - userTimeNs();
    }

    /**
     * {@return wall time of all parts, in ns; at least the CPU time} Parts that run at the same time add up, so it can grow
     * faster than a clock.
     */
    public long wallTimeNs() {
        return figures[PartSlot.WALL];
    }

    /**
     * {@return number of parts that have begun} A part that a thread enters inside of another one of the same account is
     * not counted.
     */
    public long parts() {
        return figures[PartSlot.PARTS];
    }

    /**
     * {@return number of those parts whose times are unknown, and not in the figures} If it is not 0, the account has used
     * more than its times say. A part is unmeasured if {@link ThreadClock#canRead()} was false in its thread. A part that
     * runs is also counted here if others cannot read its thread; when it ends, its times are known after all.
     */
    public long unmeasuredParts() {
        return figures[PartSlot.UNMEASURED];
    }

    /**
     * {@return number of threads that have had parts; exact up to 64} If there have been more, a thread that comes back
     * may be counted again.
     */
    public long threads() {
        return figures[PartSlot.THREADS];
    }

    @Override
    public String toString() {
        return "CPU " + cpuTimeNs() + " ns = user " + userTimeNs() + " ns + system " + systemTimeNs() + " ns, wall "
                + wallTimeNs() + " ns, parts " + parts() + " (unmeasured " + unmeasuredParts() + "), threads "
                + threads();
    }
}
