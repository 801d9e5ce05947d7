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
    void refusesWhatIsNotTheWholeOfAFileOfThisFormat() throws IOException {
        file().write(results());
        String text = Files.readString(file().path());
        List<String> others = List.of(
                "",
                "[]",
                "<html>",
                "{\"format\": 1}",
                "{\"dependencies\": {}}",
                text.substring(0, text.length() / 2),
                text.replace(",\"rounds\":[9.5,1234.57]", ""),
                text.replace("\"unit\":\"ns\",", ""),
                text.replaceAll("(?s),\\s*\"notes\".*", "}"));
        for (String other : others) {
            Files.writeString(file().path(), other);
            assertThatThrownBy(() -> file().read()).as(other).isInstanceOf(SetupException.class);
        }
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
