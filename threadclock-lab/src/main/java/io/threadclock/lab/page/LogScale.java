// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;

/** The bounds of a logarithmic axis. Charts that stand beside one another have the same, to be compared by eye. */
record LogScale(double least, double most) {
    private static final double[] STEPS = {1, 2, 5, 10};
    private static final double ROUNDING = 1e-9;
    private static final double FEW_DECADES = 2;
    private static final double LESS_THAN_A_DECADE = 0.75;

    /** From the step 1, 2 or 5 below the least amount to the one above the greatest. Empty or not positive: 1 to 10. */
    static LogScale around(DoubleStream amounts) {
        DoubleSummaryStatistics positive =
                amounts.filter(amount -> amount > 0).summaryStatistics();
        if (positive.getCount() == 0) {
            return new LogScale(1, 10);
        }
        double least = below(positive.getMin());
        double most = above(positive.getMax());
        return new LogScale(least, most > least ? most : least * 2);
    }

    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        for (double decade = decade(least); decade <= most * (1 + ROUNDING); decade *= 10) {
            for (int digit : digits()) {
                double tick = decade * digit;
                if (tick >= least * (1 - ROUNDING) && tick <= most * (1 + ROUNDING)) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }

    /** The first digits of the ticks: the shorter the axis, the more. */
    private List<Integer> digits() {
        double decades = Math.log10(most / least);
        if (decades > FEW_DECADES) {
            return List.of(1);
        }
        return decades > LESS_THAN_A_DECADE ? List.of(1, 2, 5) : List.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    private static double below(double amount) {
        double step = decade(amount);
        for (double each : STEPS) {
            if (decade(amount) * each <= amount * (1 + ROUNDING)) {
                step = decade(amount) * each;
            }
        }
        return step;
    }

    private static double above(double amount) {
        for (double each : STEPS) {
            if (decade(amount) * each >= amount * (1 - ROUNDING)) {
                return decade(amount) * each;
            }
        }
        throw new IllegalStateException("no step above " + amount);
    }

    private static double decade(double amount) {
        return Math.pow(10, Math.floor(Math.log10(amount) + ROUNDING));
    }
}
