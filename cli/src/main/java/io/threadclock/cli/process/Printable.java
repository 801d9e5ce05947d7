// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Makes words of other processes, which may hold anything, safe for a terminal. */
public final class Printable {
    /**
     * Characters that control a terminal (including C1: U+009B begins a sequence as ESC [ does), hide text or change
     * its direction.
     */
    private static final Pattern UNFIT = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

    private Printable() {}

    /** One line of visible characters. */
    public static String line(String text) {
        return UNFIT.matcher(text).replaceAll("?");
    }

    /** A line of JSON, in which unsafe characters become escapes. They occur only in strings. */
    static String json(String line) {
        return UNFIT.matcher(line).replaceAll(Printable::escapes);
    }

    /** Escapes that are quoted for use as a replacement. */
    private static String escapes(MatchResult unfit) {
        return unfit.group()
                .chars()
                .mapToObj(unit -> String.format("\\\\u%04x", unit))
                .collect(Collectors.joining());
    }
}
