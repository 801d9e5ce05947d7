// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** The characters of bars and sparklines. */
enum Glyphs {
    BLOCKS('█', '▒', '·', '×', "▁▂▃▄▅▆▇█"),
    ASCII('#', '+', '.', 'x', "._-=+*%#");

    private static final String GREEN = "\u001b[32m";
    private static final String RED = "\u001b[31m";
    private static final String FAINT = "\u001b[2m";
    private static final String PLAIN = "\u001b[0m";

    private final char user;
    private final char system;
    private final char rest;
    private final char times;
    private final String levels;

    Glyphs(char user, char system, char rest, char times, String levels) {
        this.user = user;
        this.system = system;
        this.rest = rest;
        this.times = times;
        this.levels = levels;
    }

    /** The characters for a terminal with this encoding. */
    static Glyphs of(Charset encoding) {
        return StandardCharsets.UTF_8.equals(encoding) ? BLOCKS : ASCII;
    }

    /** The character before the number of a pool's threads. */
    char times() {
        return times;
    }

    /**
     * Colours user time green and system time red, and nothing faint. ASCII characters mean other things as well, and
     * stay as they are.
     */
    String coloured(String line) {
        return this == ASCII
                ? line
                : line.replaceAll("[" + user + levels + "]+", GREEN + "$0" + PLAIN)
                        .replaceAll(system + "+", RED + "$0" + PLAIN)
                        .replaceAll(rest + "+", FAINT + "$0" + PLAIN);
    }

    /** A bar of user time, then system time, then the rest of the whole. */
    String bar(Rate rate, double whole, int width) {
        int all = cells(rate.cpu() / whole, width);
        int ofUser = Math.min(all, cells(rate.user() / whole, width));
        return String.valueOf(user).repeat(ofUser)
                + String.valueOf(system).repeat(all - ofUser)
                + String.valueOf(rest).repeat(width - all);
    }

    private static int cells(double ratio, int width) {
        return (int) Math.min(width, Math.max(0, Math.round(ratio * width)));
    }

    /** The last values, with the newest on the right; NaN: nothing is known. */
    String sparkline(double[] ratios, double whole, int width) {
        StringBuilder line = new StringBuilder();
        for (int i = ratios.length - width; i < ratios.length; i++) {
            line.append(i < 0 || Double.isNaN(ratios[i]) ? ' ' : level(ratios[i] / whole));
        }
        return line.toString();
    }

    private char level(double ratio) {
        int level = (int) Math.floor(ratio * levels.length());
        return levels.charAt(Math.max(0, Math.min(levels.length() - 1, level)));
    }
}
