// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

/** How long a run takes, on two or three JDKs; with more than two of them each gets less. */
enum BenchLength {
    QUICK("two and a half minutes"),
    USUAL("under a quarter of an hour"),
    FULL("longer than a quarter of an hour");

    private final String title;

    BenchLength(String title) {
        this.title = title;
    }

    @Override
    public String toString() {
        return title;
    }
}
