// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.threadclock.recorder.JvmName;
import io.threadclock.recorder.RetentionLimits;
import io.threadclock.recorder.Sample;
import io.threadclock.recorder.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Words of other processes that control a terminal, in each place from which a command takes them. */
class HostileWordsTest {
    private static final String HOSTILE = "evil\u001b]0;x\u0007\u009b2J\u202e\u2028\r\nroot,#";
    private static final String SEEN = "evil?]0;x??2J????root,#";
    private static final long BEGIN_US = 1_767_225_600_000_000L;

    private final CommandHere command = new CommandHere();

    @TempDir
    Path directory;

    @Test
    void namesInARecordingAreFitForATerminalAsCsv() {
        record();
        assertThat(sql("select name, 7 n from threads")).isZero();
        assertThat(command.out().lines()).containsExactly("name,n", '"' + SEEN + "\",7");
    }

    @Test
    void namesInARecordingAreEscapedAsJsonAndComeBack() throws IOException {
        record();
        assertThat(sql("select name from threads", "--json")).isZero();
        assertPrintable(command.out());
        assertThat(new ObjectMapper().readTree(command.out()))
                .map(JsonNode::asText)
                .containsExactly(HOSTILE);
    }

    @Test
    void theProgramOfARecordingIsFitForATerminal() {
        record();
        assertThat(command.run("report", "--dir=" + data(), "--output=" + directory.resolve("page.html")))
                .isZero();
        assertThat(command.out()).contains("samples of " + SEEN + " (at");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "attach %s",
                "top --sort=%s 1",
                "frobnicate%s",
                "record --to=%s 1",
                "help %s",
                "attach --library=/%s 1"
            })
    void wordsOfACommandAreFitForATerminal(String words) {
        assertThat(command.run(String.format(words, HOSTILE).split(" "))).isBetween(1, 2);
        assertThat(command.err()).startsWith("threadclock: ").hasLineCount(1);
        assertPrintable(command.err());
    }

    private static void assertPrintable(String printed) {
        assertThat(printed).doesNotContain("\u001b", "\u0007", "\u009b", "\u202e", "\u2028", "\r");
    }

    private int sql(String query, String... options) {
        String[] words = {
            "report", "--dir=" + data(), "--sql=" + query, options.length == 0 ? "--output=unused" : options[0]
        };
        return command.run(words);
    }

    private Path data() {
        return directory.resolve("data");
    }

    private void record() {
        JvmName jvm = new JvmName("host", HOSTILE, 4711, 100);
        try (Store store = Store.open(data(), RetentionLimits.parse("1g"))) {
            for (int i = 0; i < 3; i++) {
                long elapsedUs = i == 0 ? 0 : 100_000;
                Sample.Whole whole = new Sample.Whole(elapsedUs, 5 * elapsedUs, elapsedUs);
                List<Sample.ThreadName> names =
                        i == 0 ? List.of(new Sample.ThreadName(1, 41, 0, HOSTILE, HOSTILE, "native")) : List.of();
                List<Sample.ThreadTimes> times = List.of(new Sample.ThreadTimes(1, (int) elapsedUs, elapsedUs, 0));
                store.put(new Sample(jvm, BEGIN_US + i * 100_000L, elapsedUs, 1, whole, 0, times, names, List.of()));
            }
        }
    }
}
