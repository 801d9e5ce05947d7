// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.message;

/**
 * How often the readings of a thread's own time broke the laws that hold for any two clocks of which one counts a part
 * of what the other counts.
 *
 * @param readings number of pairs of user and CPU time looked at
 * @param outOfRange pairs with user time below 0 or above the next CPU time
 * @param backward readings below the reading before
 * @param unitsUserAboveCpu units of work that were charged more user time than CPU time
 */
public record LawBreaches(long readings, long outOfRange, long backward, long unitsUserAboveCpu) {
    public static final LawBreaches NONE = new LawBreaches(0, 0, 0, 0);

    public LawBreaches plus(LawBreaches other) {
        return new LawBreaches(
                readings + other.readings,
                outOfRange + other.outOfRange,
                backward + other.backward,
                unitsUserAboveCpu + other.unitsUserAboveCpu);
    }
}
