// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.Printer;
import io.threadclock.recorder.ThreadCount;
import java.io.StringWriter;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** The time is fake. */
class RecordingMessagesTest {
    private static final Recording.Progress PROGRESS =
            new Recording.Progress(60, 600, new ThreadCount(12, 7), 0, 0, 0.001, "");

    private final KeptSamples sink = new KeptSamples();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private long nowS;

    @Test
    void saysWithoutATerminalWhenTroubleBeginsEachMinuteAndWhenItEnds() {
        RecordingMessages lines = lines(false);
        for (nowS = 1; nowS <= 200; nowS++) {
            sink.trouble = nowS >= 10 && nowS < 150 ? "trouble of second " + nowS : "";
            lines.progress(PROGRESS);
        }
        assertThat(err.toString().lines())
                .containsExactly(
                        "threadclock: trouble of second 10",
                        "threadclock: trouble of second 70",
                        "threadclock: trouble of second 130",
                        "threadclock: samples are taken again: 0 kept");
    }

    @Test
    void saysFirstHowOftenItSamplesIfThatIsLessThanAsked() {
        lines(false).begin(100, 100, "in data");
        lines(false).begin(83, 100, "in data");
        assertThat(err.toString().lines())
                .containsExactly(
                        "threadclock: recording app.jar (4711) 100 times a second in data; Ctrl-C ends it",
                        "threadclock: recording app.jar (4711) 83 times a second, as often as it can be read, not 100,"
                                + " in data; Ctrl-C ends it");
    }

    @Test
    void whatAServerAnswersDoesNotControlTheTerminal() {
        sink.trouble = "it says \u001b[2J, \u009b1m and\r that";
        nowS = 1;
        lines(false).progress(PROGRESS);
        assertThat(err.toString()).isEqualTo("threadclock: it says ?[2J, ?1m and? that" + System.lineSeparator());
        lines(true).progress(PROGRESS);
        assertThat(err.toString()).doesNotContain("\u001b[2J", "\u009b");
    }

    @Test
    void showsTroubleOnATerminalInItsLineOnceASecond() {
        RecordingMessages lines = lines(true);
        sink.trouble = "nobody answers";
        nowS = 1;
        lines.progress(PROGRESS);
        lines.progress(PROGRESS);
        assertThat(err.toString()).containsOnlyOnce("nobody answers; app.jar (4711) for 60 s: 600 samples");
    }

    @Test
    void endsItsLineAtTheTerminalsEdge() {
        nowS = 1;
        lines(true).progress(PROGRESS);
        String text = err.toString().replaceAll("\r|\u001b\\[[?0-9]*[a-zA-Z]", "");
        assertThat(text)
                .hasSize(79)
                .startsWith("app.jar (4711) for 60 s: 600 samples")
                .endsWith("…");
    }

    @Test
    void endsWithALineThatSaysWhatItCostOrOneObjectForPrograms() {
        sink.lost = 7;
        lines(false).end(PROGRESS, false);
        lines(false).end(new Recording.Progress(60, 600, new ThreadCount(12, 7), 1, 3, 0.001, ""), false);
        lines(false).end(PROGRESS, true);
        String begin = "recorded app.jar (4711) for 60 s: 600 samples, at most 12 threads at once, 7 used CPU time, ";
        assertThat(out.toString().lines().toList())
                .startsWith(
                        begin + "no gap, 0 kept; looking took 0.10 % of a core",
                        begin + "1 gap (3 missed), 0 kept; looking took 0.10 % of a core")
                .last(InstanceOfAssertFactories.STRING)
                .contains("\"samples\":600", "\"threads\":12,\"threadsThatUsedCpu\":7", "\"lostSamples\":7");
    }

    private RecordingMessages lines(boolean isTerminal) {
        Printer writer = Printer.of(err);
        return new RecordingMessages(
                KeptSamples.JVM,
                sink,
                Printer.of(out),
                writer,
                isTerminal ? Optional.of(new StatusLine(writer, 80)) : Optional.empty(),
                () -> TimeUnit.SECONDS.toNanos(nowS));
    }
}
