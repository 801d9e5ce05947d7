// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

/** Whose clock the unmodified ThreadMXBean reads. */
enum Contender {
    STOCK("stock"),
    THREADCLOCK("threadclock");

    private final String title;

    Contender(String title) {
        this.title = title;
    }

    @Override
    public String toString() {
        return title;
    }
}
