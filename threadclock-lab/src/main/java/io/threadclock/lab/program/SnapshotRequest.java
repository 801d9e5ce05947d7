// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.util.concurrent.TimeUnit;

/** One line from the driver: how many threads there are to be besides the JVM's own, and how long to take snapshots. */
public record SnapshotRequest(int threads, long durationMs) {
    /** @throws IllegalArgumentException if the line is no request */
    public static SnapshotRequest parse(String line) {
        String[] words = line.split(" ");
        if (words.length != 2) {
            throw new IllegalArgumentException("no request: " + line);
        }
        return new SnapshotRequest(Integer.parseInt(words[0]), Long.parseLong(words[1]));
    }

    public long durationNs() {
        return TimeUnit.MILLISECONDS.toNanos(durationMs);
    }

    @Override
    public String toString() {
        return threads + " " + durationMs;
    }
}
