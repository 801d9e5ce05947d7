// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Quantity;
import io.threadclock.harness.Figure;
import java.util.ArrayList;
import java.util.List;

/** One line of the chart: what is asked for, and whose clock answers. */
record GrowthLine(Quantity quantity, Loading loading) {
    private static final double NS_PER_US = 1000;

    static List<GrowthLine> all() {
        List<GrowthLine> lines = new ArrayList<>();
        for (Quantity quantity : Quantity.values()) {
            lines.add(new GrowthLine(quantity, Loading.STOCK));
            lines.add(new GrowthLine(quantity, Loading.AGENTPATH));
        }
        return lines;
    }

    /** Median µs of one call. */
    double us(AllThreadsMeasurement measurement, int threads) {
        double nsPerThread = measurement.arrays().ns(new ArrayReading(threads, quantity), loading).median();
        return nsPerThread * threads / NS_PER_US;
    }

    /** Its classes in the style sheet. */
    String kind() {
        return (loading == Loading.STOCK ? "stock" : "agent") + (quantity == Quantity.CPU_TIME ? " cpu" : "");
    }

    String hint(AllThreadsMeasurement measurement, int threads) {
        return this + ", " + Figure.count(threads) + " threads: " + Figure.ns(us(measurement, threads)) + " µs";
    }

    @Override
    public String toString() {
        return quantity + ", " + (loading == Loading.STOCK ? "stock" : "threadclock");
    }
}
