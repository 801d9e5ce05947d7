// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import io.threadclock.cli.process.Printer;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import java.util.function.LongSupplier;

/** Says on standard error how much of a recording has been read, if this takes longer than people like to wait. */
public final class ReadingProgress implements DoubleConsumer {
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(2);

    private final Printer err;
    private final Optional<StatusLine> terminal;
    private final LongSupplier ns;
    private final long beginNs;
    private long saidNs;

    public ReadingProgress(Printer err) {
        this(err, StatusLine.onTerminal(err), System::nanoTime);
    }

    ReadingProgress(Printer err, Optional<StatusLine> terminal, LongSupplier ns) {
        this.err = err;
        this.terminal = terminal;
        this.ns = ns;
        this.beginNs = ns.getAsLong();
        this.saidNs = beginNs;
    }

    @Override
    public void accept(double part) {
        if (ns.getAsLong() - saidNs >= QUIET_NS) {
            saidNs = ns.getAsLong();
            String text = String.format(Locale.ROOT, "threadclock: %.0f %% read", 100 * part);
            if (terminal.isPresent()) {
                terminal.get().print(text);
            } else {
                err.println(text);
            }
        }
    }

    public void end() {
        if (terminal.isPresent() && saidNs != beginNs) {
            terminal.get().erase();
        }
    }
}
