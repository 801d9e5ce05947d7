// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import java.time.Duration;

/**
 * The longest extrapolation. It repeats the agent's own bounds, so that `run` refuses a wrong window before it starts
 * the program.
 */
final class Window extends TimeSpan {
    Window() {
        super(Duration.ofNanos(100_000), Duration.ofMillis(100));
    }
}
