// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.lab.results.Measurement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** The statistics of the errors in the windows of a workload. */
final class WindowStatistics {
    /** The quantity whose figures are of rounds, against the split kernel of the same round. */
    private static final String MORE = "more";

    private WindowStatistics() {}

    /** Its statistics instead of its figures; itself if it has one figure of all windows together. */
    static Measurement of(Measurement figures) {
        if (!figures.hasRounds()) {
            return figures;
        }
        boolean isOfRounds = figures.subject().quantity().equals(MORE);
        return new Measurement(
                figures.subject(),
                figures.unit(),
                List.of(),
                figures.rounds().size(),
                isOfRounds ? ofRounds(figures) : ofErrors(figures.rounds()),
                null);
    }

    /**
     * The mean, and of the absolute errors the mean, by how much that may be more or less by chance (in 95 of 100 runs), and the
     * least that 95 % of all do not exceed.
     */
    private static Map<String, Double> ofErrors(List<Double> errors) {
        double[] sizes = figures(errors).map(Math::abs).sorted().toArray();
        Map<String, Double> statistics = new LinkedHashMap<>();
        statistics.put(Measurement.BIAS, figures(errors).average().orElseThrow());
        double mean = DoubleStream.of(sizes).average().orElseThrow();
        double squares = DoubleStream.of(sizes)
                .map(size -> (size - mean) * (size - mean))
                .sum();
        statistics.put(Measurement.MEAN, mean);
        statistics.put(Measurement.CHANCE, 2 * Math.sqrt(squares / Math.max(1, sizes.length - 1) / sizes.length));
        statistics.put(Measurement.percentile(95), sizes[(sizes.length * 95 + 99) / 100 - 1]);
        return statistics;
    }

    /** The median, and half of what lies between the quartiles. */
    private static Map<String, Double> ofRounds(Measurement more) {
        double[] sorted = figures(more.rounds()).sorted().toArray();
        double betweenQuartiles = sorted[sorted.length * 3 / 4] - sorted[sorted.length / 4];
        Map<String, Double> statistics = new LinkedHashMap<>();
        statistics.put("median", more.spread().median());
        statistics.put("spread", betweenQuartiles / 2);
        return statistics;
    }

    private static DoubleStream figures(List<Double> figures) {
        return figures.stream().mapToDouble(Double::doubleValue);
    }
}
