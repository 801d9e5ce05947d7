// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.message;

import org.HdrHistogram.Histogram;

/**
 * What the workers of one phase, or of several like phases together, did and measured.
 *
 * @param units units of work done
 * @param unitsWithoutUserTime units that were charged no user time at all
 * @param wallNs from the start of the phase to the end of its last worker
 * @param userNs user time of the workers by their own last reading
 * @param cpuNs CPU time of the workers by their own last reading
 * @param workCpuNs the part of it between the first and the last unit of work
 * @param kernelUserNs user time of the workers as /proc states it, in steps of 10 ms a thread
 * @param kernelSystemNs system time of the workers as /proc states it, in steps of 10 ms a thread
 * @param userCallNs wall time of each call that reads user time; of the empty bracket when attribution is off
 * @param cpuCallNs wall time of each call that reads CPU time; of the empty bracket when attribution is off
 */
public record PhaseResult(
        long units,
        long unitsWithoutUserTime,
        long wallNs,
        long userNs,
        long cpuNs,
        long workCpuNs,
        long kernelUserNs,
        long kernelSystemNs,
        LawBreaches breaches,
        Histogram userCallNs,
        Histogram cpuCallNs) {
    public static final String KIND = "result";
    /** Enough to tell 20 ns from 21 ns and 1.00 ms from 1.01 ms. */
    private static final int SIGNIFICANT_DIGITS = 3;

    public static PhaseResult empty() {
        return new PhaseResult(0, 0, 0, 0, 0, 0, 0, 0, LawBreaches.NONE, newHistogram(), newHistogram());
    }

    public static Histogram newHistogram() {
        return new Histogram(SIGNIFICANT_DIGITS);
    }

    public double unitsPerSecond() {
        return units * 1e9 / wallNs;
    }

    /** This phase and another one that ran after it. */
    public PhaseResult then(PhaseResult other) {
        return plus(other, wallNs + other.wallNs);
    }

    /** The work of this worker and of another one that ran beside it. */
    public PhaseResult beside(PhaseResult other) {
        return plus(other, Math.max(wallNs, other.wallNs));
    }

    private PhaseResult plus(PhaseResult other, long commonWallNs) {
        return new PhaseResult(
                units + other.units,
                unitsWithoutUserTime + other.unitsWithoutUserTime,
                commonWallNs,
                userNs + other.userNs,
                cpuNs + other.cpuNs,
                workCpuNs + other.workCpuNs,
                kernelUserNs + other.kernelUserNs,
                kernelSystemNs + other.kernelSystemNs,
                breaches.plus(other.breaches),
                sum(userCallNs, other.userCallNs),
                sum(cpuCallNs, other.cpuCallNs));
    }

    private static Histogram sum(Histogram a, Histogram b) {
        Histogram sum = a.copy();
        sum.add(b);
        return sum;
    }

    public Message toMessage() {
        return new Message(KIND)
                .with("units", units)
                .with("unitsWithoutUserTime", unitsWithoutUserTime)
                .with("wallNs", wallNs)
                .with("userNs", userNs)
                .with("cpuNs", cpuNs)
                .with("workCpuNs", workCpuNs)
                .with("kernelUserNs", kernelUserNs)
                .with("kernelSystemNs", kernelSystemNs)
                .with("readings", breaches.readings())
                .with("outOfRange", breaches.outOfRange())
                .with("backward", breaches.backward())
                .with("unitsUserAboveCpu", breaches.unitsUserAboveCpu())
                .with("userCallNs", userCallNs)
                .with("cpuCallNs", cpuCallNs);
    }

    public static PhaseResult of(Message message) {
        LawBreaches breaches = new LawBreaches(
                message.number("readings"),
                message.number("outOfRange"),
                message.number("backward"),
                message.number("unitsUserAboveCpu"));
        return new PhaseResult(
                message.number("units"),
                message.number("unitsWithoutUserTime"),
                message.number("wallNs"),
                message.number("userNs"),
                message.number("cpuNs"),
                message.number("workCpuNs"),
                message.number("kernelUserNs"),
                message.number("kernelSystemNs"),
                breaches,
                message.histogram("userCallNs"),
                message.histogram("cpuCallNs"));
    }
}
