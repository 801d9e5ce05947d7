// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.Locale;

/**
 * How many threads a recording of a JVM has. Those that record and the page of its recording tell are the same.
 *
 * @param atOnce the most threads that lived at the time of one sample
 * @param used the threads that have used CPU time in any sample, which may be more
 */
public record ThreadCount(int atOnce, int used) {
    /** As part of a sentence, for instance {@code at most 39 threads at once, 27 used CPU time}. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "at most %,d %s at once, %,d used CPU time",
                atOnce,
                atOnce == 1 ? "thread" : "threads",
                used);
    }
}
