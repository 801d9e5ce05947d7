// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

/** The bounds of the agent's times, which clock/settings.h of the native library sets, in the form of options. */
final class ClockBounds {
    static final String WINDOW_LEAST = "100us";
    static final String WINDOW_MOST = "100ms";
    static final String WINDOW_USUAL = "4ms";
    static final String PERIOD_LEAST = "90us";
    static final String PERIOD_MOST = "10ms";

    private ClockBounds() {}
}
