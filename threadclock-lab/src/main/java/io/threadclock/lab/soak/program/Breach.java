// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

/** What no reading may do. */
public enum Breach {
    BELOW_KERNEL("below the kernel's clock read before"),
    ABOVE_KERNEL("above the kernel's clock read after, and what was stolen"),
    MISSED_SWITCH("ahead of the kernel after a switch"),
    NO_SUM("user + system time ≠ CPU time"),
    BACKWARDS("less than the reading before"),
    USER_ABOVE_CPU("user time grew by more than CPU time"),
    OTHERS_DISAGREE("less than what another thread had read"),
    WRONG_ANSWER("a figure for an ended or virtual thread, or none for a live one"),
    EXCEPTION("exceptions");

    private final String title;

    Breach(String title) {
        this.title = title;
    }

    @Override
    public String toString() {
        return title;
    }
}
