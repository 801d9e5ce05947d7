// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

/** How long a run takes, on two JDKs; with more of them each gets less. */
enum BenchLength {
    QUICK("two and a half minutes"),
    USUAL("twelve minutes"),
    FULL("half an hour");

    private final String title;

    BenchLength(String title) {
        this.title = title;
    }

    @Override
    public String toString() {
        return title;
    }
}
