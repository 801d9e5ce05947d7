// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import java.io.IOException;
import java.util.Map;
import org.jline.utils.InfoCmp;

/** The type of a terminal, as the variable TERM names it. */
final class TerminalType {
    /** What JLine brings along, by the begin of the names of those that can do as much. */
    private static final Map<String, String> FAMILIES =
            Map.of("xterm", "xterm-256color", "screen", "screen-256color", "tmux", "screen-256color");

    /** Terminals whose names are newer than this machine's terminfo understand these sequences. */
    private static final String OTHER = "ansi";

    private TerminalType() {}

    /** A type whose abilities are known here: this one, or one that can do no more. */
    static String known(String term) {
        return isKnown(term)
                ? term
                : FAMILIES.entrySet().stream()
                        .filter(family -> term.startsWith(family.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse(OTHER);
    }

    /** Asks JLine, which has some types, and else infocmp(1), which may not be here. */
    private static boolean isKnown(String term) {
        try {
            return !term.isEmpty() && !InfoCmp.getInfoCmp(term).isEmpty();
        } catch (IOException unknown) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
