// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.results;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How one figure was distributed over many samples.
 *
 * @param count how many samples
 * @param percentiles value by percentile, from 0 (the least) to 100 (the greatest)
 */
public record Distribution(
        Subject subject, String unit, long count, double mean, SortedMap<Double, Double> percentiles) {
    public Distribution {
        percentiles = new TreeMap<>(percentiles);
    }
}
