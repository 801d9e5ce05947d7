// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

/** What one error is of. */
public enum ErrorWindow {
    SECOND("1s", "over 1 s of CPU time"),
    TEN_MILLISECONDS("10ms", "over 10 ms of CPU time"),
    REQUEST("request", "per request of 2 ms"),
    THREAD("thread", "per thread that lives 1 to 5 ms");

    private final String over;
    private final String words;

    ErrorWindow(String over, String words) {
        this.over = over;
        this.words = words;
    }

    /** As the laboratory calls it. */
    public String over() {
        return over;
    }

    public String words() {
        return words;
    }
}
