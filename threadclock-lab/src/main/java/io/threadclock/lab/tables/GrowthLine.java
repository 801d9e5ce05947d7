// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import io.threadclock.harness.Figure;
import java.util.ArrayList;
import java.util.List;

/** One line of the chart: what is asked for, and whose clock answers. */
record GrowthLine(String quantity, String contender) {
    private static final double NS_PER_US = 1000;

    static List<GrowthLine> all() {
        List<GrowthLine> lines = new ArrayList<>();
        for (String quantity : List.of("user time", "CPU time")) {
            lines.add(new GrowthLine(quantity, Contest.STOCK));
            lines.add(new GrowthLine(quantity, Contest.AGENTPATH));
        }
        return lines;
    }

    /** Median µs of one call. */
    double us(Results results, String jdk, double threads) {
        Contest contest = new Contest(results, Benchmarks.ARRAY, jdk, quantity, threads);
        return contest.spread(contender).median() * threads / NS_PER_US;
    }

    /** Its classes in the style sheet. */
    String kind() {
        return (isStock() ? "stock" : "agent") + (quantity.equals("CPU time") ? " cpu" : "");
    }

    String hint(double us, double threads) {
        return this + ", " + Figure.count((long) threads) + " threads: " + Figure.ns(us) + " µs";
    }

    @Override
    public String toString() {
        return quantity + ", " + (isStock() ? "stock" : "threadclock");
    }

    private boolean isStock() {
        return contender.equals(Contest.STOCK);
    }
}
