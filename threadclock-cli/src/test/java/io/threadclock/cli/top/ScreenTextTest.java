// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.FakeProc;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScreenTextTest {
    @TempDir
    Path noProc;

    /** The screen's fourth line, for a snapshot with this waiting time, and readings of this age. */
    private String status(long waitedNs, long ageNs) {
        UsageSample sample = new UsageSample(
                MadeUp.snapshot(MadeUp.S, MadeUp.thread(41, "worker", 0, 0, MadeUp.S - ageNs)),
                MadeUp.S,
                List.of(),
                Rate.NONE,
                0,
                List.of());
        Controls controls = Controls.of(new ThreadTable(Order.CPU, "", true), Duration.ofMillis(200));
        WatchedProcess subject = new WatchedProcess(FakeProc.files(noProc), 4711, "App", true);
        return new ScreenText(subject, Glyphs.ASCII, ZoneOffset.UTC, 100, 24)
                .lines(new ScreenText.Scene(controls, sample, List.of(), new History(), "", waitedNs, "", 0, "", null))
                .get(ScreenText.HEAD_LINES - 1);
    }

    @Test
    void saysWhenTheBudgetDoesNotAllowToLookSoOften() {
        assertThat(status(400 * MadeUp.MS, 0)).contains("its budget allows every 0.4 s");
        assertThat(status(150 * MadeUp.MS, 0)).doesNotContain("budget");
    }

    @Test
    void virtualThreadsAreIndentedWithTheirMountsPerSecond() {
        UsageSample sample = MadeUp.sampleWithPools();
        ThreadTable table = new ThreadTable(Order.CPU, "", true);
        Controls controls = Controls.of(table, Duration.ofMillis(200));
        WatchedProcess subject = new WatchedProcess(FakeProc.files(noProc), 4711, "App", true);
        List<String> lines = new ScreenText(subject, Glyphs.ASCII, ZoneOffset.UTC, 100, 24)
                .lines(new ScreenText.Scene(
                        controls, sample, table.rows(sample), new History(), "", 0, "", 0, "", null));
        assertThat(lines.get(ScreenText.HEAD_LINES + 1))
                .contains(" virtual ", "x3")
                .endsWith("   handler-*  1,235/s");
        assertThat(lines.get(ScreenText.HEAD_LINES + 3)).endsWith("   (carriers' rest)");
    }

    @Test
    void saysHowOldReadingsAre() {
        assertThat(status(0, 900 * MadeUp.MS)).contains("some read 0.9 s ago");
        assertThat(status(0, 300 * MadeUp.MS)).doesNotContain("ago");
    }
}
