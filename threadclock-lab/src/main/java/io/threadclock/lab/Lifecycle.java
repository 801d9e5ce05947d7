// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

/** What a program does with threads that has nothing to do with their times. */
enum Lifecycle {
    START_AND_END("thread start + end"),
    VIRTUAL_YIELD("virtual thread's yield");

    private final String title;

    Lifecycle(String title) {
        this.title = title;
    }

    @Override
    public String toString() {
        return title;
    }
}
