// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

/** What the thread does that another one asks about. */
public enum Neighbour {
    ASLEEP("asleep"),
    BUSY("busy"),
    BUSY_READING("busy, reads itself");

    private final String title;

    Neighbour(String title) {
        this.title = title;
    }

    @Override
    public String toString() {
        return title;
    }
}
