// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.threadclock.harness.ChildResult;
import io.threadclock.it.probe.HostileProbe;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a JVM whose threads and command line have words that control a terminal. */
class HostileWordsIT {
    private static final Path LIBRARY = Program.LIBRARY.path();
    private static WaitingJvm jvm;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() {
        jvm = new WaitingJvm(
                CommandLineTool.RUNTIME,
                HostileProbe.class,
                "-Dx=" + HostileProbe.ESCAPES,
                "-Dy=" + HostileProbe.LINES);
    }

    @AfterAll
    static void end() {
        jvm.close();
    }

    @Test
    void topPrintsALineAThread() {
        String[] rows = printed("top", "-b", "-n", "1", "-d", "0.1", jvm.pid()).split("\n");
        assertThat(rows).anyMatch(row -> row.endsWith(" evil???4711 R x")).noneMatch(row -> row.matches(" *4711 .*"));
        assertThat(printed("top", "--no-attach", "-b", "-n", "1", "-d", "0.1", jvm.pid()))
                .contains("?[2J?m");
    }

    @Test
    @Tag("server")
    void topPrintsTheSameNamesAsJson() throws IOException {
        String json = printed("top", "--json", "-n", "1", "-d", "0.1", jvm.pid());
        assertThat(new ObjectMapper().readTree(json).get("rows").findValuesAsText("name"))
                .contains(HostileProbe.ESCAPES, HostileProbe.LINES);
    }

    @Tag("long")
    @Test
    void doctorSaysNoneOfIt() {
        printed("doctor", jvm.pid());
        printed("doctor", "--json", jvm.pid());
    }

    @Test
    @Tag("server")
    void recordAndReportSayNoneOfIt() {
        String data = "--dir=" + directory.resolve("data");
        printed("record", data, "--rate=50", "--duration=1s", "--json", jvm.pid());
        assertThat(printed("report", data, "--sql=select name from names"))
                .contains("\n?[2J?m?\n", "\n\"evil???4711 R x\"\n");
    }

    private static String printed(String... words) {
        ChildResult result = CommandLineTool.run(LIBRARY, words);
        CommandLineTool.assertDone(result);
        assertThat(result.stdout() + result.stderr())
                .doesNotContain("\u001b", "\u0007", "\u009b", "\u202e", "\u2028", "\r");
        return result.stdout();
    }
}
