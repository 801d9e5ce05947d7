// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import io.threadclock.harness.Spread;
import java.util.List;

/**
 * One figure, round by round. Contenders of one benchmark that were measured in turn have as many rounds, and the
 * ratio of two is that of their rounds.
 *
 * @param unit for instance {@code ns}, {@code ms}, {@code B} or {@code 1/s}
 */
public record Series(Subject subject, String unit, List<Double> rounds) {
    public Series {
        rounds = List.copyOf(rounds);
    }

    public Spread spread() {
        return Spread.of(array());
    }

    /** This ÷ the other, round by round; of their medians if they were not measured in turn. */
    public Spread ratioTo(Series other) {
        if (rounds.size() != other.rounds.size()) {
            double ratio = spread().median() / other.spread().median();
            return Spread.of(ratio);
        }
        return Spread.ofRatios(array(), other.array());
    }

    private double[] array() {
        return rounds.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
