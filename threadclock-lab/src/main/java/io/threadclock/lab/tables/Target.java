// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

/**
 * A figure to reach, and what was reached.
 *
 * @param quantity what is measured
 * @param wanted the figure to reach, in words
 * @param reached what this run measured, in words
 * @param bound the most that this machine lets any clock that reads the counter reach, in words; empty: no such bound
 * @param verdict yes, or no, or not measured, or out of any clock's reach here
 */
record Target(String quantity, String wanted, String reached, String bound, String verdict) {
    static final String YES = "yes";
    static final String NO = "no";
    static final String OUT_OF_REACH = "no: beyond the bound";
    static final String NOT_MEASURED = "not measured";

    static Target notMeasured(String quantity, String wanted) {
        return new Target(quantity, wanted, "", "", NOT_MEASURED);
    }

    /** A ratio that is to be at least {@code wanted}, on a machine where it can be {@code bound} at most. */
    static String atLeast(double wanted, double reached, double bound) {
        if (reached >= wanted) {
            return YES;
        }
        return bound < wanted ? OUT_OF_REACH : NO;
    }

    static String atMost(double wanted, double reached) {
        return atMost(wanted, reached, 0);
    }

    /** The same on a machine where it is {@code bound} at the least. */
    static String atMost(double wanted, double reached, double bound) {
        if (reached <= wanted) {
            return YES;
        }
        return bound > wanted ? OUT_OF_REACH : NO;
    }
}
