// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.harness.Spread;
import io.threadclock.lab.results.Contest;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** How numbers are written in tables and charts: as many digits as the measurement carries. */
public final class Figure {
    private static final int MOST_DECIMALS = 6;
    private static final List<String> TIMES = List.of("ns", "µs", "ms", "s");
    private static final double STEP = 1000;
    private static final MathContext THREE_DIGITS = new MathContext(3);
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
        return figure.apply(spread.median()) + " (" + range(spread, figure) + ")";
    }

    /** 30.9–33.0. */
    public static String range(Spread spread, DoubleFunction<String> figure) {
        return figure.apply(spread.least()) + "–" + figure.apply(spread.greatest());
    }

    /** A time in the unit that leaves one to three digits before the point, for percentiles span six decades: 28.0 ms. */
    public static String withUnit(double amount, String unit) {
        int of = TIMES.indexOf(unit);
        return of < 0 ? plain(amount) + " " + unit : time(amount, of);
    }

    private static String time(double amount, int unit) {
        double size = Math.abs(amount);
        if (size >= STEP && unit < TIMES.size() - 1) {
            return time(amount / STEP, unit + 1);
        }
        if (size < 1 && size > 0 && unit > 0) {
            return time(amount * STEP, unit - 1);
        }
        // Rounded first, so that 99.96 is 100 and not 100.0. Hundredths of a ns say nothing.
        double rounded = Math.abs(new BigDecimal(amount).round(THREE_DIGITS).doubleValue());
        String pattern = rounded >= 100 ? "%,.0f" : rounded >= 10 || unit == 0 ? "%.1f" : "%.2f";
        return format(pattern, amount) + " " + TIMES.get(unit);
    }

    /** The figure of a contender in a contest; empty where it was not measured, as below. */
    static String nsOf(Contest contest, String contender) {
        return contest.find(contender)
                .map(series -> spread(series.spread(), Figure::ns))
                .orElse("");
    }

    /** How many times less than stock; nothing for stock itself. */
    static String gainOf(Contest contest, String contender) {
        return isBesideStock(contest, contender) ? ratio(contest.gain(contender)) : "";
    }

    static String timesStock(Contest contest, String contender) {
        return isBesideStock(contest, contender) ? ratio(contest.timesStock(contender)) : "";
    }

    static String ratio(Spread ratio) {
        return spread(ratio, (DoubleFunction<String>) Figure::ratio);
    }

    private static boolean isBesideStock(Contest contest, String contender) {
        return !contender.equals(Contest.STOCK) && contest.has(Contest.STOCK) && contest.has(contender);
    }

    private static String format(String pattern, Object figure) {
        return String.format(Locale.ROOT, pattern, figure);
    }
}
