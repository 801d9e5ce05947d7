// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.cli.attach.SourceNames;

/**
 * A JDK's own {@code getCurrentThreadUserTime()}, as its version tells it, and as the clock's source that reads in the
 * same way behaves in this process.
 *
 * @param userCallNs its cost; of raw ticks a little less
 * @param cpuCallNs the cost of {@code getCurrentThreadCpuTime()}
 * @param stepNs the step by which it moves; 0: it was not seen to move
 */
public record UserTimeCall(Way way, double userCallNs, double cpuCallNs, long stepNs) {
    private static final int FIRST_WITH_TICKS = 26;

    /** How the time is read. */
    public enum Way {
        /** Opens, reads and parses a file of /proc for each call. */
        PROC("parses /proc (unless its vendor has backported JDK 26's way)"),
        /** A system call returns the kernel's raw count of ticks. */
        TICKS("raw ticks");

        private final String words;

        Way(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** Its cost for people. */
    String cost() {
        return (way == Way.TICKS ? "below " : "") + FigureFormat.ns(userCallNs);
    }

    /** @param feature the feature release of the JDK */
    static UserTimeCall of(int feature, Examination examined) {
        SourceVerdict like = examined.source(feature < FIRST_WITH_TICKS ? SourceNames.PROC : SourceNames.TICKS);
        Way way = feature < FIRST_WITH_TICKS ? Way.PROC : Way.TICKS;
        // JDK 26 asks for user time alone: one system call, for which the kernel does less than for CPU time.
        double userCallNs = way == Way.PROC ? like.readNs() : examined.callNs();
        return new UserTimeCall(way, userCallNs, examined.callNs(), like.stepNs());
    }
}
