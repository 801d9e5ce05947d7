// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import java.util.Optional;

/** A way to read the user time of the calling thread. */
enum UserTimeWay {
    UP_TO_JDK_25("JDK ≤ 25"),
    JDK_26("JDK 26"),
    THREADCLOCK("threadclock");

    /** From this version on the stock JDK asks the tick counter instead of /proc. */
    private static final int TICKS_SINCE = 26;

    private final String title;

    UserTimeWay(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** What the agent is told, so that a JDK reads in this way; empty if it does so by itself, without the agent. */
    Optional<String> agentOptions(int feature) {
        return switch (this) {
            case UP_TO_JDK_25 -> feature < TICKS_SINCE ? Optional.empty() : Optional.of("source=proc");
            case JDK_26 -> feature < TICKS_SINCE ? Optional.of("source=ticks") : Optional.empty();
            case THREADCLOCK -> Optional.of("source=auto");
        };
    }
}
