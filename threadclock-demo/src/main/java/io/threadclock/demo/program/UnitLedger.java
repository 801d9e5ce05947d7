// SPDX-License-Identifier: Apache-2.0
package io.threadclock.demo.program;

import io.threadclock.demo.message.LawBreaches;

/**
 * What one thread has charged to its units of work, and how often the readings contradicted one another.
 *
 * <p>The readings come in the order CPU, user, work, user, CPU. So the span of the user time lies within the span of the
 * CPU time, and a unit whose user time exceeds its CPU time is a contradiction and nothing else.
 */
final class UnitLedger {
    private long units;
    private long unitsWithoutUserTime;
    private long readings;
    private long outOfRange;
    private long backward;
    private long unitsUserAboveCpu;
    private long lastUserNs;
    private long lastCpuNs;

    void charge(long cpuBeforeNs, long userBeforeNs, long userAfterNs, long cpuAfterNs) {
        long userNs = userAfterNs - userBeforeNs;
        long cpuNs = cpuAfterNs - cpuBeforeNs;
        units++;
        readings++;
        unitsWithoutUserTime += userNs == 0 ? 1 : 0;
        unitsUserAboveCpu += userNs > cpuNs ? 1 : 0;
        // The user time was read first: even on a clock that moves between the two it cannot be ahead.
        outOfRange += userAfterNs < 0 || userAfterNs > cpuAfterNs ? 1 : 0;
        backward += userBeforeNs < lastUserNs || userNs < 0 ? 1 : 0;
        backward += cpuBeforeNs < lastCpuNs || cpuNs < 0 ? 1 : 0;
        lastUserNs = userAfterNs;
        lastCpuNs = cpuAfterNs;
    }

    long units() {
        return units;
    }

    long unitsWithoutUserTime() {
        return unitsWithoutUserTime;
    }

    LawBreaches breaches() {
        return new LawBreaches(readings, outOfRange, backward, unitsUserAboveCpu);
    }
}
