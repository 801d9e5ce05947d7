// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.Printer;
import java.io.StringWriter;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Time is made up. */
class ReadingLineTest {
    private final StringWriter err = new StringWriter();
    private long nowMs;

    @Test
    void saysNothingOfWhatIsSoonDone() {
        ReadingLine line = line(true);
        nowMs = 1999;
        line.accept(0.9);
        line.end();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void saysEachTwoSecondsHowFarItIs() {
        ReadingLine line = line(false);
        for (nowMs = 0; nowMs <= 5000; nowMs += 100) {
            line.accept(nowMs / 5000.0);
        }
        line.end();
        assertThat(err.toString().lines()).containsExactly("threadclock: 40 % read", "threadclock: 80 % read");
    }

    private ReadingLine line(boolean isTerminal) {
        Printer writer = Printer.of(err);
        return new ReadingLine(
                writer,
                isTerminal ? Optional.of(new OverwrittenLine(writer, 80)) : Optional.empty(),
                () -> TimeUnit.MILLISECONDS.toNanos(nowMs));
    }
}
