// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import org.jspecify.annotations.Nullable;

/**
 * How a platform thread has waited since it started, as the kernel counts it. A figure that is not known is -1, and
 * never 0. Immutable.
 *
 * @since 0.1
 */
public final class ThreadWaits {
    static final long UNKNOWN = -1;

    private final long runDelayNs;
    private final long voluntarySwitches;
    private final long involuntarySwitches;

    ThreadWaits(long runDelayNs, long voluntarySwitches, long involuntarySwitches) {
        this.runDelayNs = runDelayNs;
        this.voluntarySwitches = voluntarySwitches;
        this.involuntarySwitches = involuntarySwitches;
    }

    /**
     * {@return run-queue delay, in ns: the time in which the thread wanted to run, and another one had its CPU or the
     * CPU quota of its control group was used up; -1 if that is unknown} Wall time = CPU time + run-queue delay + the
     * time in which the thread did not want to run. The time that a hypervisor steals is not told apart.
     */
    public long runDelayNs() {
        return runDelayNs;
    }

    /** {@return how often the thread has given up its CPU itself, to sleep or block; -1 if that is unknown} */
    public long voluntarySwitches() {
        return voluntarySwitches;
    }

    /** {@return how often the thread has been switched out while it could have gone on; -1 if that is unknown} */
    public long involuntarySwitches() {
        return involuntarySwitches;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ThreadWaits
                && ((ThreadWaits) other).runDelayNs == runDelayNs
                && ((ThreadWaits) other).voluntarySwitches == voluntarySwitches
                && ((ThreadWaits) other).involuntarySwitches == involuntarySwitches;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Long.hashCode(runDelayNs) + Long.hashCode(voluntarySwitches))
                + Long.hashCode(involuntarySwitches);
    }

    @Override
    public String toString() {
        return "run delay " + inWords(runDelayNs, " ns") + ", switches " + inWords(voluntarySwitches, " voluntary")
                + " + " + inWords(involuntarySwitches, " involuntary");
    }

    /** A figure in words, which may be unknown. */
    static String inWords(long figure, String unit) {
        return figure == UNKNOWN ? "unknown" + (unit.equals(" ns") ? "" : unit) : figure + unit;
    }
}
