// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * How CPU time is divided into user and system time. The order is that of {@code enum tclk_split}.
 *
 * @since 0.1
 */
public enum TimeSplit {
    /**
     * At the thread's present share of user time, steered towards the kernel's over 250 ms of CPU time; by short bouts
     * of samples if the thread's clock ticks cannot be trusted.
     */
    SMOOTHED,
    /** The raw tick counter; for comparison: neither monotone nor consistent. */
    TICKS,
    /**
     * A perf event samples each thread that reads itself: right for single requests, at a price. The agent's option
     * ({@code split=sampled:1ms}) sets how often, and {@link ThreadClock#explanation()} tells it.
     */
    SAMPLED,
    /** The JDK's own {@code ThreadMXBean} divides it, where {@link ThreadClock#isSupported()} is false. */
    THREAD_MX_BEAN;

    private static final TimeSplit[] ALL = values();

    static TimeSplit of(int number) {
        return ALL[number];
    }
}
