// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine.program;

/** How the program attributes its work. */
public enum Way {
    NONE,
    THREAD_MX_BEAN,
    STOPWATCH;

    Attribution attribution() {
        return switch (this) {
            case NONE -> new Attribution.None();
            case THREAD_MX_BEAN -> new Attribution.ByThreadMXBean();
            case STOPWATCH -> new Attribution.ByStopwatch();
        };
    }
}
