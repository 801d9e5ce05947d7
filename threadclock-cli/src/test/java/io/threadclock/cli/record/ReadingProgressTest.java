// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.Printer;
import java.io.StringWriter;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The time is fake. */
class ReadingProgressTest {
    private final StringWriter err = new StringWriter();
    private long nowMs;

    @Test
    void saysNothingOfWhatIsSoonDone() {
        ReadingProgress line = line(true);
        nowMs = 1999;
        line.accept(0.9);
        line.end();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void saysEachTwoSecondsHowFarItIs() {
        ReadingProgress line = line(false);
        for (nowMs = 0; nowMs <= 5000; nowMs += 100) {
            line.accept(nowMs / 5000.0);
        }
        line.end();
        assertThat(err.toString().lines()).containsExactly("threadclock: 40 % read", "threadclock: 80 % read");
    }

    private ReadingProgress line(boolean isTerminal) {
        Printer writer = Printer.of(err);
        return new ReadingProgress(
                writer,
                isTerminal ? Optional.of(new StatusLine(writer, 80)) : Optional.empty(),
                () -> TimeUnit.MILLISECONDS.toNanos(nowMs));
    }
}
