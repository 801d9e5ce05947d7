// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.util.concurrent.TimeUnit;

/** One line from the driver: which call to measure, and how long. */
public record Request(Call call, long durationMs) {
    /** @throws IllegalArgumentException if the line is no request */
    public static Request parse(String line) {
        String[] words = line.split(" ");
        if (words.length != 2) {
            throw new IllegalArgumentException("no request: " + line);
        }
        return new Request(Call.valueOf(words[0]), Long.parseLong(words[1]));
    }

    public long durationNs() {
        return TimeUnit.MILLISECONDS.toNanos(durationMs);
    }

    @Override
    public String toString() {
        return call.name() + " " + durationMs;
    }
}
