// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * How one figure was distributed over many samples.
 *
 * @param count how many samples
 * @param percentiles value by percentile, from 0 (the least) to 100 (the greatest)
 */
public record Distribution(
        Subject subject, String unit, long count, double mean, SortedMap<Double, Double> percentiles) {
    private static final double[] PERCENTILES = {10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 99.999, 100};

    public Distribution {
        percentiles = new TreeMap<>(percentiles);
    }

    public static Distribution of(Subject subject, String unit, Histogram histogram) {
        SortedMap<Double, Double> percentiles = new TreeMap<>();
        for (double percentile : PERCENTILES) {
            percentiles.put(percentile, (double) histogram.getValueAtPercentile(percentile));
        }
        percentiles.put(0.0, (double) histogram.getMinValue());
        return new Distribution(subject, unit, histogram.getTotalCount(), histogram.getMean(), percentiles);
    }

    /** The figure that so many percent of the samples do not exceed. */
    public double at(double percentile) {
        return percentiles.get(percentile);
    }
}
