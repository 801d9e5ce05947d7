// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.util.concurrent.TimeUnit;

/** One line from the driver: what to ask of how many threads in one call, and how long. */
public record ArrayRequest(Quantity quantity, int threads, long durationMs) {
    /** @throws IllegalArgumentException if the line is no request */
    public static ArrayRequest parse(String line) {
        String[] words = line.split(" ");
        if (words.length != 3) {
            throw new IllegalArgumentException("no request: " + line);
        }
        return new ArrayRequest(Quantity.valueOf(words[0]), Integer.parseInt(words[1]), Long.parseLong(words[2]));
    }

    public long durationNs() {
        return TimeUnit.MILLISECONDS.toNanos(durationMs);
    }

    @Override
    public String toString() {
        return quantity.name() + " " + threads + " " + durationMs;
    }
}
