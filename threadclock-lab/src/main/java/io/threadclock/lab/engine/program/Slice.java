// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine.program;

/**
 * What a slice of work has taken, attribution included.
 *
 * @param wallNs per unit
 * @param cpuNs CPU time of the thread per unit, by the clock of {@code ThreadMXBean}
 */
public record Slice(Way way, double wallNs, double cpuNs) {
    /** @throws IllegalArgumentException if the text is no slice */
    static Slice parse(String text) {
        String[] parts = text.split(":");
        if (parts.length != 3) {
            throw new IllegalArgumentException("no slice: " + text);
        }
        return new Slice(Way.valueOf(parts[0]), Double.parseDouble(parts[1]), Double.parseDouble(parts[2]));
    }

    @Override
    public String toString() {
        return way + ":" + wallNs + ":" + cpuNs;
    }
}
