// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.util.Locale;
import java.util.function.DoubleFunction;

/** How numbers are written in the tables: as many digits as the measurement carries. */
public final class Figure {
    private static final int MOST_DECIMALS = 6;
    private static final double LEAST_SHOWN_SHARE = 0.001;

    private Figure() {}

    /** 31.4, 1,234. */
    public static String ns(double ns) {
        return ns < 100 ? format("%.1f", ns) : format("%,.0f", ns);
    }

    public static String count(long count) {
        return format("%,d", count);
    }

    /** 0.084×, 1.04×, 4.3×, 1,234×. */
    public static String ratio(double ratio) {
        if (ratio < 1) {
            return format("%.3f×", ratio);
        }
        if (ratio < 2) {
            return format("%.2f×", ratio);
        }
        return ratio < 10 ? format("%.1f×", ratio) : format("%,.0f×", ratio);
    }

    /** Three digits, whatever its size: 0.0412, 3.14, 1,234. */
    public static String plain(double figure) {
        if (figure == 0 || Math.abs(figure) >= 100) {
            return format("%,.0f", figure);
        }
        int decimals = Math.max(0, 2 - (int) Math.floor(Math.log10(Math.abs(figure))));
        return decimals > MOST_DECIMALS ? "0" : format("%." + decimals + "f", figure);
    }

    /** 0.31 %, 8.2 %, 45 %. */
    public static String percent(double share) {
        double percent = 100 * share;
        double size = Math.abs(percent);
        return format(size < 1 ? "%.2f" : size < 10 ? "%.1f" : "%.0f", percent) + " %";
    }

    /** Never hides a few among many: 3 of 100,000 is not 0.0 %, and 99,997 are not 100.0 %. */
    public static String percentOf(long part, long whole) {
        if (part == 0 || part == whole) {
            return part == 0 ? "0 %" : "100 %";
        }
        double share = (double) part / whole;
        if (share < LEAST_SHOWN_SHARE) {
            return "< 0.1 %";
        }
        return share > 1 - LEAST_SHOWN_SHARE ? "> 99.9 %" : format("%.1f %%", 100 * share);
    }

    /** 31.4 (30.9–33.0). */
    public static String spread(Spread spread, DoubleFunction<String> figure) {
        return figure.apply(spread.median()) + " (" + figure.apply(spread.least()) + "–"
                + figure.apply(spread.greatest()) + ")";
    }

    private static String format(String pattern, Object figure) {
        return String.format(Locale.ROOT, pattern, figure);
    }
}
