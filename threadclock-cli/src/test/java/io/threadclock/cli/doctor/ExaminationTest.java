// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ExaminationTest {
    private static final Path SOURCE =
            Path.of(System.getProperty("threadclock.home", ".."), "threadclock-native/src/main/c/clock/refusal.h");

    @Test
    void readsWhatTheLibraryWrites() {
        Examination examined = Examination.parse(Examinations.LIKE_THIS);
        assertThat(examined.chosen()).isEqualTo("rseq");
        assertThat(examined.tickNs()).isEqualTo(4_000_000);
        assertThat(examined.callNs()).isEqualTo(163.0);
        assertThat(examined.source("proc").readNs()).isEqualTo(8120.5);
        assertThat(examined.source("ids").reason()).isEqualTo(Reason.IDS_KERNEL);
        assertThat(examined.waits()).isEqualTo(Reason.SOUND);
        assertThat(examined.sources()).hasSize(6);
    }

    @Test
    void knowsEveryReasonOfTheLibrary() throws IOException {
        List<String> words = Pattern.compile("ROW\\(TCLK_[A-Z_]+, \"([a-z-]+)\"")
                .matcher(Files.readString(SOURCE))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
        assertThat(words).hasSizeGreaterThan(20);
        assertThat(words).as("words that are %s here", Reason.OTHER).noneMatch(word -> Reason.of(word) == Reason.OTHER);
    }

    @Test
    void aReasonOfAnotherVersionIsNoError() {
        assertThat(Reason.of("never-heard-of")).isEqualTo(Reason.OTHER);
    }
}
