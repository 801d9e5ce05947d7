// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import java.util.Locale;

/** How numbers are written in the tables: as many digits as the measurement carries. */
final class Figure {
    private static final double NS_PER_S = 1e9;
    private static final double NS_PER_US = 1e3;
    private static final double NS_PER_MS = 1e6;
    private static final double LEAST_SHOWN_SHARE = 0.001;

    private Figure() {}

    /** 31.4, 1,234. */
    static String ns(double ns) {
        return ns < 100 ? format("%.1f", ns) : format("%,.0f", ns);
    }

    static String ns(long ns) {
        return count(ns);
    }

    static String micros(double ns) {
        return format("%.1f", ns / NS_PER_US);
    }

    static String ms(long ns) {
        return format("%.1f", ns / NS_PER_MS);
    }

    static String seconds(long ns) {
        return format("%.2f", ns / NS_PER_S);
    }

    static String count(long count) {
        return format("%,d", count);
    }

    /** 0.08×, 1.5×, 1,234×. */
    static String ratio(double ratio) {
        if (ratio < 1) {
            return format("%.2f×", ratio);
        }
        return ratio < 10 ? format("%.1f×", ratio) : format("%,.0f×", ratio);
    }

    /** 0.034 as 3.4 %. */
    static String percent(double share) {
        return format("%.1f %%", share * 100);
    }

    /** Never hides a few among many: 3 of 100,000 is not 0.0 %, and 99,997 are not 100.0 %. */
    static String percentOf(long part, long whole) {
        if (part == 0 || part == whole) {
            return part == 0 ? "0 %" : "100 %";
        }
        double share = (double) part / whole;
        if (share < LEAST_SHOWN_SHARE) {
            return "< 0.1 %";
        }
        return share > 1 - LEAST_SHOWN_SHARE ? "> 99.9 %" : percent(share);
    }

    private static String format(String pattern, Object figure) {
        return String.format(Locale.ROOT, pattern, figure);
    }
}
