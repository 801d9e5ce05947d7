// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import io.threadclock.cli.process.Printer;
import io.threadclock.cli.process.StandardStream;
import java.util.Optional;

/** A line of a terminal that is written over and over. One that is too long for it ends at its edge. */
final class StatusLine {
    private static final String ERASE = "\r\u001b[K";
    /** For who has made the terminal narrower since. */
    private static final String NO_WRAPPING = "\u001b[?7l";

    private static final String WRAPPING = "\u001b[?7h";

    private final Printer terminal;
    private final int width;

    StatusLine(Printer terminal, int width) {
        this.terminal = terminal;
        this.width = width;
    }

    /** On standard error; empty if that is no terminal. */
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
