// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.util.Arrays;

/** Median, least and greatest of a few measurements of the same quantity. */
public record Spread(double median, double least, double greatest) {
    /** @throws IllegalArgumentException if nothing was measured */
    public static Spread of(double... measured) {
        if (measured.length == 0) {
            throw new IllegalArgumentException("nothing was measured");
        }
        double[] sorted = measured.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /**
     * The ratios of two contenders that were measured in turn, round by round, so that a drift of the machine cancels
     * out.
     *
     * @throws IllegalArgumentException if nothing was measured, or one of them more often
     */
    public static Spread ofRatios(double[] numerators, double[] denominators) {
        if (numerators.length != denominators.length) {
            throw new IllegalArgumentException(numerators.length + " rounds against " + denominators.length);
        }
        double[] ratios = new double[numerators.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = numerators[i] / denominators[i];
        }
        return of(ratios);
    }
}
