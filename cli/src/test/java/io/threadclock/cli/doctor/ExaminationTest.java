// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static io.threadclock.cli.attach.SourceNames.CLOCK;
import static io.threadclock.cli.attach.SourceNames.IDS;
import static io.threadclock.cli.attach.SourceNames.PERF;
import static io.threadclock.cli.attach.SourceNames.PROC;
import static io.threadclock.cli.attach.SourceNames.RSEQ;
import static io.threadclock.cli.attach.SourceNames.TICKS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExaminationTest {
    private static final Path SOURCE =
            Path.of(System.getProperty("threadclock.home", ".."), "native/src/main/c/clock/refusal.h");

    @Test
    void readsWhatTheClockSays() {
        Examination examined = Examinations.of(Examinations.LIKE_THIS);
        assertThat(examined.chosen()).isEqualTo("rseq");
        assertThat(examined.measuringCpus()).as("(null), which Linux prints").isEmpty();
        assertThat(examined.source("proc").readNs()).isEqualTo(8120.5);
        assertThat(examined.source("ids").reason()).isEqualTo(Reason.IDS_KERNEL);
        assertThat(examined.source("of a later version").reason()).isEqualTo(Reason.NOT_TRIED);
        assertThat(examined.samples()).isEqualTo(Reason.SOUND);
        assertThat(examined.waits()).isEqualTo(Reason.SOUND);
        assertThat(examined.counter()).isEqualTo(Reason.SOUND);
        assertThat(examined.sources())
                .extracting(SourceVerdict::source)
                .containsExactlyInAnyOrder(RSEQ, PERF, CLOCK, TICKS, PROC, IDS);
    }

    @Test
    void knowsEveryReasonOfTheLibrary() throws IOException {
        List<String> words = Pattern.compile(
                        "ROW\\(TCLK_[A-Z_]+, (?:NULL, *|\"([^\"]+)\", )(?:\\\\\\s+)?(?:\"([^\"]+))?")
                .matcher(Files.readString(SOURCE))
                .results()
                .map((MatchResult row) -> row.group(1) == null ? row.group(2) : row.group(1) + " refused: EPERM (1)")
                .map(text -> text.replace("%d", "7"))
                .toList();
        assertThat(words).hasSizeGreaterThan(20).doesNotContainNull();
        assertThat(words).as("words that are %s here", Reason.OTHER).noneMatch(word -> Reason.of(word) == Reason.OTHER);
        assertThat(Stream.of(Reason.values()).filter(reason -> reason != Reason.OTHER))
                .as("none hides another")
                .allMatch(reason -> words.stream().anyMatch(word -> Reason.of(word) == reason));
    }

    @Test
    void aReasonOfAnotherVersionIsNoError() {
        assertThat(Reason.of("never-heard-of")).isEqualTo(Reason.OTHER);
    }
}
