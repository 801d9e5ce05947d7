// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.program;

/** What is called in a loop. */
public enum Call {
    /** A static Java method that is really called and does nothing. */
    EMPTY,
    /** {@code System.nanoTime()}. */
    NANO_TIME,
    /** {@code ThreadMXBean.getCurrentThreadUserTime()}. */
    USER_TIME,
    /** {@code ThreadMXBean.getCurrentThreadCpuTime()}. */
    CPU_TIME
}
