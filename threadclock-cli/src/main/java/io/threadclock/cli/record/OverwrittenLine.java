// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import java.io.PrintWriter;

/** A line of a terminal that is written over and over. One that is too long for it ends at its edge. */
final class OverwrittenLine {
    private static final String ERASE = "\r\u001b[K";
    private static final String NO_WRAPPING = "\u001b[?7l";
    private static final String WRAPPING = "\u001b[?7h";

    private OverwrittenLine() {}

    static void print(PrintWriter terminal, String text) {
        terminal.print(ERASE + NO_WRAPPING + text + WRAPPING);
        terminal.flush();
    }

    static void erase(PrintWriter terminal) {
        terminal.print(ERASE);
        terminal.flush();
    }
}
