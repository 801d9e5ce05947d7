// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** What bars and sparklines are made of. */
enum Glyphs {
    BLOCKS('█', '▒', '·', "▁▂▃▄▅▆▇█"),
    ASCII('#', '+', '.', "._-=+*%#");

    private final char user;
    private final char system;
    private final char rest;
    private final String levels;

    Glyphs(char user, char system, char rest, String levels) {
        this.user = user;
        this.system = system;
        this.rest = rest;
        this.levels = levels;
    }

    /** Of a terminal that understands this encoding. */
    static Glyphs of(Charset encoding) {
        return StandardCharsets.UTF_8.equals(encoding) ? BLOCKS : ASCII;
    }

    /** User time, then system time, then what is left of the whole. */
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

    /** The last ones, the newest on the right; NaN: nothing is known. */
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
