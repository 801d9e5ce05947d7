// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

/** What is called in a loop. */
public enum Call {
    /** A static Java method that is really called and does nothing. */
    EMPTY("empty"),
    /** {@code System.nanoTime()}. */
    NANO_TIME("nanoTime"),
    /** {@code ThreadMXBean.getCurrentThreadUserTime()}. */
    USER_TIME("user time"),
    /** {@code ThreadMXBean.getCurrentThreadCpuTime()}. */
    CPU_TIME("CPU time");

    private final String title;

    Call(String title) {
        this.title = title;
    }

    @Override
    public String toString() {
        return title;
    }
}
