// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import java.util.Arrays;

/** Median, least and greatest of a few measurements of the same quantity. */
record Spread(double median, double least, double greatest) {
    static Spread of(double... measured) {
        if (measured.length == 0) {
            throw new IllegalArgumentException("nothing was measured");
        }
        double[] sorted = measured.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }
}
