// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.Spread;
import io.threadclock.lab.program.EngineProgram.Slice;
import io.threadclock.lab.program.EngineProgram.Way;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** A few dozen rounds: each way of attribution against none, round by round. */
final class Block {
    private static final double NS_PER_S = 1e9;
    private static final double PER_CENT = 100;

    private final List<Slice> slices;
    private final int perRound;

    /** @throws IllegalArgumentException if these are not whole rounds */
    Block(List<Slice> slices, int perRound) {
        if (slices.isEmpty() || slices.size() % perRound != 0) {
            throw new IllegalArgumentException(slices.size() + " slices in rounds of " + perRound);
        }
        this.slices = slices;
        this.perRound = perRound;
    }

    /** Units per second in the median slice. */
    double unitsPerSecond(Way way) {
        return NS_PER_S / median(way, Slice::wallNs);
    }

    /** CPU time of a unit in the median slice. */
    double cpuNs(Way way) {
        return median(way, Slice::cpuNs);
    }

    /** The share of the throughput that attribution costs. */
    double throughputCostPercent(Way way) {
        return PER_CENT * -Math.expm1(-medianLogRatio(way, Slice::wallNs));
    }

    /** CPU time that attribution adds, as a share of that without it. */
    double cpuCostPercent(Way way) {
        return PER_CENT * Math.expm1(medianLogRatio(way, Slice::cpuNs));
    }

    /** Uses logarithms, so that a slow slice of one way weighs as much as a slow slice of the other. */
    private double medianLogRatio(Way way, ToDoubleFunction<Slice> figure) {
        double[] ratios = IntStream.range(0, slices.size() / perRound)
                .mapToDouble(round -> Math.log(
                        figure.applyAsDouble(slice(round, way)) / figure.applyAsDouble(slice(round, Way.NONE))))
                .toArray();
        return Spread.of(ratios).median();
    }

    private double median(Way way, ToDoubleFunction<Slice> figure) {
        double[] ofWay = slices.stream()
                .filter(slice -> slice.way() == way)
                .mapToDouble(figure)
                .toArray();
        return Spread.of(ofWay).median();
    }

    private Slice slice(int round, Way way) {
        return slices.subList(round * perRound, (round + 1) * perRound).stream()
                .filter(slice -> slice.way() == way)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("round " + round + " has no slice of " + way));
    }
}
