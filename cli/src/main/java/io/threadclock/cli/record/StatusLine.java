// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import io.threadclock.cli.process.Printer;
import io.threadclock.cli.process.StandardStream;
import java.util.Optional;

/** A line of a terminal that is overwritten again and again. A line that is too long ends at the terminal's edge. */
record StatusLine(Printer terminal, int width) {
    private static final String ERASE = "\r\u001b[K";
    /** For a terminal that was made narrower since. */
    private static final String NO_WRAPPING = "\u001b[?7l";

    private static final String WRAPPING = "\u001b[?7h";

    /** A line on standard error; empty if that is not a terminal. */
    static Optional<StatusLine> onTerminal(Printer err) {
        return StandardStream.ERR.isTerminal()
                ? Optional.of(new StatusLine(err, StandardStream.ERR.columns()))
                : Optional.empty();
    }

    void print(String text) {
        String fitting = text.length() < width ? text : text.substring(0, width - 2) + "…";
        terminal.draw(ERASE + NO_WRAPPING);
        terminal.print(fitting);
        terminal.draw(WRAPPING);
        terminal.flush();
    }

    void erase() {
        terminal.draw(ERASE);
        terminal.flush();
    }
}
