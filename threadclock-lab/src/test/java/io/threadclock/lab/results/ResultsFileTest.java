// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.harness.SetupException;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results.FlameGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsFileTest {
    private static final Origin ORIGIN = new Origin(
            "1.0",
            "./threadclock bench --jdks=17,25",
            "2026-11-21T10:00:00+01:00",
            91,
            "CPU \"X\"",
            true,
            2,
            "6.18",
            null,
            "0.10",
            List.of(new Origin.Runtime("17.0.15", "Debian", "rseq", "JNI")));
    private static final Subject LOOP = new Subject("loop", "17.0.15", "stock", "user time", null);
    private static final Subject LATENCY = new Subject("latency", "17.0.15", "stock", "user time", 16.0);

    @TempDir
    private Path folder;

    @Test
    void readsWhatItHasWritten() {
        Results results = results();
        file().write(results);
        assertThat(file().read()).isEqualTo(results);
    }

    @Test
    void hasALineForEachFigure() throws IOException {
        file().write(results());
        assertThat(Files.readAllLines(file().path()))
                .contains(
                        "  {'subject':{'benchmark':'loop','jdk':'17.0.15','contender':'stock','quantity':'user time'},"
                                        .replace('\'', '"')
                                + "'unit':'ns','rounds':[9.5,1234.57]},".replace('\'', '"'));
    }

    @Test
    void refusesAnotherFormat() throws IOException {
        assertRefused("{\"format\": 1}", "its format is 1, and this threadclock reads 2. Measure anew");
    }

    @Test
    void refusesWhatIsNoJson() throws IOException {
        assertRefused("<html>", "it is no results.json: Unexpected character", ". Name one that ./threadclock bench");
    }

    @Test
    void refusesAFileThatWasCutOff() throws IOException {
        file().write(results());
        String text = Files.readString(file().path());
        assertRefused(text.substring(0, text.length() / 2), "it is no results.json: Unexpected end-of-input");
    }

    @Test
    void refusesOtherJson() throws IOException {
        assertRefused("{\"dependencies\": {}}", "it is no results.json: ", "Name one");
        assertRefused("[]", "it is no results.json: ", "Name one");
        assertRefused("", "it is no results.json: ", "Name one");
    }

    @Test
    void refusesFiguresThatAreMissing() throws IOException {
        file().write(results());
        String text = Files.readString(file().path());
        assertRefused(text.replace(",\"rounds\":[9.5,1234.57]", ""), "it is no results.json: ", "rounds");
        assertRefused(text.replace("\"unit\":\"ns\",", ""), "it is no results.json: ", "unit");
        assertRefused(text.replace("\"notes\":", "\"note\":"), "it is no results.json: notes is missing");
    }

    @Test
    void saysWhereThereIsNoFile() {
        assertThatThrownBy(() -> file().read())
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("Reading results from " + file().path(), "there is no such file", "Name one");
    }

    private void assertRefused(String text, String... parts) throws IOException {
        Files.writeString(file().path(), text);
        assertThatThrownBy(() -> file().read())
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("Reading results from " + file().path())
                .hasMessageContainingAll(parts);
    }

    private ResultsFile file() {
        return new ResultsFile(folder.resolve("results.json"));
    }

    private static Results results() {
        ResultsDraft draft = new ResultsDraft();
        draft.add(LOOP, "ns", 9.5);
        draft.add(LOOP, "ns", 1234.5678);
        draft.add(Measurement.of(LATENCY, "ns", 3, 20.25, new TreeMap<>(Map.of(50.0, 20.0, 99.9, 31.0))));
        draft.add(new FlameGraph("flame.html", "stock", 0.5));
        draft.note("perf was refused");
        return draft.finish(ORIGIN);
    }
}
