// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

import io.threadclock.lab.demo.message.LawBreaches;

/**
 * What one thread has charged to its units of work, and how often the readings contradicted one another.
 *
 * <p>The readings come in the order that query engines use: CPU, user, work, CPU, user. The last of them is not
 * within the span of the CPU readings of its own unit, but it is within the span up to the next CPU reading. Measured
 * against that one, a unit with more user time than CPU time is a contradiction and nothing else.
 */
final class UnitLedger {
    private long units;
    private long unitsWithoutUserTime;
    private long outOfRange;
    private long backward;
    private long unitsUserAboveCpu;
    private long lastCpuBeforeNs;
    private long lastCpuNs;
    private long lastUserNs;
    private long lastUnitUserNs;

    void charge(long cpuBeforeNs, long userBeforeNs, long cpuAfterNs, long userAfterNs) {
        settle(cpuBeforeNs);
        backward += cpuBeforeNs < lastCpuNs || cpuAfterNs < cpuBeforeNs ? 1 : 0;
        backward += userBeforeNs < lastUserNs || userAfterNs < userBeforeNs ? 1 : 0;
        units++;
        lastCpuBeforeNs = cpuBeforeNs;
        lastCpuNs = cpuAfterNs;
        lastUserNs = userAfterNs;
        lastUnitUserNs = userAfterNs - userBeforeNs;
        unitsWithoutUserTime += lastUnitUserNs == 0 ? 1 : 0;
    }

    /** The next CPU reading after a unit: by then the CPU time covers all that the unit's user time can. */
    void settle(long nextCpuNs) {
        outOfRange += lastUserNs < 0 || lastUserNs > nextCpuNs ? 1 : 0;
        unitsUserAboveCpu += lastUnitUserNs > nextCpuNs - lastCpuBeforeNs ? 1 : 0;
    }

    long units() {
        return units;
    }

    long unitsWithoutUserTime() {
        return unitsWithoutUserTime;
    }

    LawBreaches breaches() {
        return new LawBreaches(units, outOfRange, backward, unitsUserAboveCpu);
    }
}
