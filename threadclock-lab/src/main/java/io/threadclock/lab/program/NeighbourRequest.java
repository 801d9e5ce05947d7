// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.util.concurrent.TimeUnit;

/** One line from the driver: what to ask of which thread, and how long. */
public record NeighbourRequest(Quantity quantity, Neighbour neighbour, long durationMs) {
    /** @throws IllegalArgumentException if the line is no request */
    public static NeighbourRequest parse(String line) {
        String[] words = line.split(" ");
        if (words.length != 3) {
            throw new IllegalArgumentException("no request: " + line);
        }
        return new NeighbourRequest(
                Quantity.valueOf(words[0]), Neighbour.valueOf(words[1]), Long.parseLong(words[2]));
    }

    public long durationNs() {
        return TimeUnit.MILLISECONDS.toNanos(durationMs);
    }

    @Override
    public String toString() {
        return quantity.name() + " " + neighbour.name() + " " + durationMs;
    }
}
