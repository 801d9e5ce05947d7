// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.harness.Figure;
import io.threadclock.harness.Spread;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** How amounts are written on the page. */
final class Amount {
    private static final List<String> TIMES = List.of("ns", "µs", "ms", "s");
    private static final double STEP = 1000;
    private static final MathContext TWO_DIGITS = new MathContext(2);
    private static final MathContext THREE_DIGITS = new MathContext(3);

    private Amount() {}

    /** In the unit of its column: 0.0045, 17.8, 1,234. */
    static String plain(double amount) {
        if (amount == 0) {
            return "0";
        }
        return Math.abs(amount) < 1 ? new BigDecimal(amount).round(TWO_DIGITS).toPlainString() : Figure.ns(amount);
    }

    /** With its unit; times in the one that leaves one to three digits, for percentiles span six decades: 28.0 ms. */
    static String withUnit(double amount, String unit) {
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
        return threeDigits(amount, unit == 0) + " " + TIMES.get(unit);
    }

    /** Of a ns there are no hundredths. */
    private static String threeDigits(double amount, boolean coarse) {
        // Rounded first, so that 99.96 is 100 and not 100.0.
        double size = Math.abs(new BigDecimal(amount).round(THREE_DIGITS).doubleValue());
        String pattern = size >= 100 ? "%,.0f" : size >= 10 || coarse ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, pattern, amount);
    }

    /** 0.31 %, 20.9 %; a share of 0 to 1. */
    static String percent(double share) {
        return percentDigits(share) + " %";
    }

    /** −0.13 to 0.37 %. */
    static String percentRange(Spread shares) {
        return percentDigits(shares.least()) + " to " + percent(shares.greatest());
    }

    private static String percentDigits(double share) {
        double percent = 100 * share;
        String digits = String.format(Locale.ROOT, Math.abs(percent) < 1 ? "%.2f" : "%.1f", percent);
        return digits.equals("-0.00") ? "0.00" : digits.replace('-', '−');
    }

    /** 30.9–33.0; nothing where there was only one round. */
    static String range(Spread spread, DoubleFunction<String> figure) {
        return spread.least() == spread.greatest()
                ? ""
                : figure.apply(spread.least()) + "–" + figure.apply(spread.greatest());
    }

    static String parameter(double parameter) {
        return parameter == Math.rint(parameter) ? Figure.count((long) parameter) : Double.toString(parameter);
    }
}
