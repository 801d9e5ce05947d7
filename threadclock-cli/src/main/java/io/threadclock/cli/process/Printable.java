// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words of other processes, which may hold anything, made fit for a terminal. */
public final class Printable {
    /** What controls a terminal (of C1, too: U+009B begins a sequence as ESC [ does), hides text or turns its direction. */
    private static final Pattern UNFIT = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

    private Printable() {}

    /** One line of signs, each of which is seen. */
    public static String line(String text) {
        return UNFIT.matcher(text).replaceAll("?");
    }

    /** A line of JSON, in which the unfit signs are escapes: they stand in strings alone. */
    static String json(String line) {
        return UNFIT.matcher(line).replaceAll(Printable::escapes);
    }

    /** Quoted for a replacement. */
    private static String escapes(MatchResult unfit) {
        return unfit.group()
                .chars()
                .mapToObj(unit -> String.format("\\\\u%04x", unit))
                .collect(Collectors.joining());
    }
}
