// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

/** What is asked of a thread. */
public enum Quantity {
    USER_TIME("user time"),
    CPU_TIME("CPU time");

    private final String title;

    Quantity(String title) {
        this.title = title;
    }

    @Override
    public String toString() {
        return title;
    }
}
