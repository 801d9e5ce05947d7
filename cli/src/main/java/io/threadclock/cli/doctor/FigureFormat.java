// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import java.util.Locale;

/** Formats numbers for people, with at most three digits that matter. */
public final class FigureFormat {
    private static final double NO_FRACTION = 100;
    private static final double ONE_DIGIT = 10;

    private FigureFormat() {}

    /** For instance {@code 9.5 ns}, {@code 8,025 ns}. */
    public static String ns(double ns) {
        return of(ns) + " ns";
    }

    public static String of(double figure) {
        if (figure >= NO_FRACTION) {
            return count(Math.round(figure));
        }
        return String.format(Locale.ROOT, figure >= ONE_DIGIT ? "%.1f" : "%.2f", figure)
                .replaceFirst("[.]0+$", "");
    }

    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
