// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine.program;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One line from the driver: slices of work to do, one after the other.
 *
 * @param ways of attribution, a slice each
 * @param cycles how often a slice does the cycle of units; always the same work, whatever it takes
 */
public record TurnsRequest(List<Way> ways, int cycles) {
    public TurnsRequest {
        ways = List.copyOf(ways);
    }

    /** @throws IllegalArgumentException if the line is no request */
    public static TurnsRequest parse(String line) {
        String[] words = line.split(" ");
        if (words.length != 2) {
            throw new IllegalArgumentException("no request: " + line);
        }
        List<Way> ways = Arrays.stream(words[0].split(",")).map(Way::valueOf).toList();
        return new TurnsRequest(ways, Integer.parseInt(words[1]));
    }

    @Override
    public String toString() {
        return ways.stream().map(Way::name).collect(Collectors.joining(",")) + " " + cycles;
    }
}
