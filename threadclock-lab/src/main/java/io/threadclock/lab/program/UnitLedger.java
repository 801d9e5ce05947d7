// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

/**
 * Adds up what one thread has charged to its units of work, and counts the readings that contradicted one another.
 *
 * <p>The readings come in the order that query engines use: CPU, user, work, CPU, user. The last of them is not
 * within the span of the CPU readings of its own unit, but it is within the span up to the next CPU reading. Measured
 * against that one, a unit with more user time than CPU time is a contradiction and nothing else.
 */
public final class UnitLedger {
    private long units;
    private long unitsWithoutUserTime;
    private long outOfRange;
    private long backward;
    private long unitsUserAboveCpu;
    private long userNs;
    private long cpuNs;
    private long lastCpuBeforeNs;
    private long lastCpuNs;
    private long lastUserNs;
    private long lastUnitUserNs;
    private boolean isSettled = true;

    /**
     * The sums that units of work were charged.
     *
     * @param withoutUserTime units that were charged no user time at all
     * @param outOfRange readings of user time below 0 or above the next CPU time
     * @param backward readings below the reading before
     * @param userAboveCpu units that were charged more user time than CPU time
     */
    public record Charges(
            long units,
            long withoutUserTime,
            long outOfRange,
            long backward,
            long userAboveCpu,
            long userNs,
            long cpuNs) {}

    void charge(long cpuBeforeNs, long userBeforeNs, long cpuAfterNs, long userAfterNs) {
        settle(cpuBeforeNs);
        backward += cpuBeforeNs < lastCpuNs || cpuAfterNs < cpuBeforeNs ? 1 : 0;
        backward += userBeforeNs < lastUserNs || userAfterNs < userBeforeNs ? 1 : 0;
        units++;
        userNs += userAfterNs - userBeforeNs;
        cpuNs += cpuAfterNs - cpuBeforeNs;
        lastCpuBeforeNs = cpuBeforeNs;
        lastCpuNs = cpuAfterNs;
        lastUserNs = userAfterNs;
        lastUnitUserNs = userAfterNs - userBeforeNs;
        unitsWithoutUserTime += lastUnitUserNs == 0 ? 1 : 0;
        isSettled = false;
    }

    /** The next CPU reading after a unit. By then, the CPU time covers all user time of the unit. */
    void settle(long nextCpuNs) {
        if (!isSettled) {
            outOfRange += lastUserNs < 0 || lastUserNs > nextCpuNs ? 1 : 0;
            unitsUserAboveCpu += lastUnitUserNs > nextCpuNs - lastCpuBeforeNs ? 1 : 0;
            isSettled = true;
        }
    }

    Charges charges() {
        return new Charges(units, unitsWithoutUserTime, outOfRange, backward, unitsUserAboveCpu, userNs, cpuNs);
    }
}
