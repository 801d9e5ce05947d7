// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.harness.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one read of one kind costs in C.
 *
 * @param ns over the rounds
 * @param timesCounter median over the rounds of the ratio to a bare look at the counter
 */
record NativeCost(String name, Spread ns, double timesCounter) {
    private static final Pattern ROUNDS = Pattern.compile("\"rounds\": (\\d+)");
    private static final Pattern ROW = Pattern.compile("\\{\"name\": \"([^\"]+)\", \"ns\": ([0-9.]+), "
            + "\"min\": ([0-9.]+), \"max\": ([0-9.]+), \"ratio\": ([0-9.]+)\\}");

    /** The rows that {@code make bench JSON=1} prints. */
    static List<NativeCost> parse(String json) {
        List<NativeCost> costs = new ArrayList<>();
        ROW.matcher(json).results().map(NativeCost::ofRow).forEach(costs::add);
        return costs;
    }

    /** The number of rounds that it says it ran; 0 if it says none. */
    static int rounds(String json) {
        Matcher rounds = ROUNDS.matcher(json);
        return rounds.find() ? Integer.parseInt(rounds.group(1)) : 0;
    }

    /** The row whose name begins so; empty where the kernel refused that source. */
    static Optional<NativeCost> find(List<NativeCost> costs, String beginning) {
        return costs.stream().filter(cost -> cost.name.startsWith(beginning)).findFirst();
    }

    /** The source that it reads: what stands before the colon of its name. */
    String source() {
        return name.split(":", 2)[0];
    }

    private static NativeCost ofRow(MatchResult row) {
        Spread ns = new Spread(number(row, 2), number(row, 3), number(row, 4));
        return new NativeCost(row.group(1), ns, number(row, 5));
    }

    private static double number(MatchResult row, int group) {
        return Double.parseDouble(row.group(group));
    }
}
