// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

/** One line from the driver. {@code number} is that of the era, see {@link Kind#ERA}. */
public record SoakRequest(Kind kind, long number) {
    public SoakRequest(Kind kind) {
        this(kind, 0);
    }

    /** @throws IllegalArgumentException if the line is no request */
    public static SoakRequest parse(String line) {
        String[] words = line.split(" ");
        return new SoakRequest(Kind.valueOf(words[0]), Long.parseLong(words[1]));
    }

    @Override
    public String toString() {
        return kind.name() + " " + number;
    }

    /** What is asked for. */
    public enum Kind {
        /** The agent has been attached to (an odd number), or is about to be detached from (an even one). */
        ERA,
        /** To be looked at: until {@link #GO_ON} nobody does anything. */
        REST,
        GO_ON,
        COUNTS
    }
}
