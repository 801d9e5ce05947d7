// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import java.util.ArrayList;
import java.util.List;

/**
 * A logarithmic scale.
 *
 * @param least the figure at {@code from}
 * @param most the figure at {@code to}
 * @param from pixels
 * @param to pixels; may be the smaller one
 */
record LogAxis(double least, double most, double from, double to) {
    private static final double ROUNDING = 1e-9;

    /** From the power of ten below the least figure, or at it, to the one above the greatest. */
    static LogAxis aroundDecades(double leastFigure, double greatestFigure, double from, double to) {
        double least = Math.pow(10, Math.floor(Math.log10(leastFigure)));
        double most = Math.pow(10, Math.ceil(Math.log10(greatestFigure)));
        return new LogAxis(least, Math.max(most, 10 * least), from, to);
    }

    double place(double figure) {
        return from + (to - from) * Math.log10(figure / least) / Math.log10(most / least);
    }

    /** The powers of ten on it. */
    List<Double> decades() {
        List<Double> decades = new ArrayList<>();
        long first = (long) Math.ceil(Math.log10(least) - ROUNDING);
        long last = (long) Math.floor(Math.log10(most) + ROUNDING);
        for (long power = first; power <= last; power++) {
            decades.add(Math.pow(10, power));
        }
        return decades;
    }
}
