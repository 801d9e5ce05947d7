// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.question.Accuracy;
import io.threadclock.lab.question.Ingest;
import io.threadclock.lab.question.Soak;
import io.threadclock.lab.results.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Command lines that are refused before anything is measured, and the exit status of a measured run. */
class CommandLinesTest {
    private static final Map<String, Supplier<LabCommand>> COMMANDS = Map.of(
            "demo",
            Demo::new,
            "bench",
            Bench::new,
            "accuracy",
            Accuracy::new,
            "soak",
            Soak::new,
            "ingest",
            Ingest::new);

    private final StringWriter said = new StringWriter();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "demo --bogus, --bogus",
        "demo --live --quick, --live runs on one JDK",
        "demo --live --write, --live runs on one JDK",
        "demo --requests --quick, --requests goes with",
        "demo --preload --requests, --requests goes with",
        "bench --bogus, --bogus",
        "bench --quick --full, mutually exclusive",
        "bench --virtual --spans, mutually exclusive",
        "accuracy --bogus, --bogus",
        "soak --bogus, --bogus",
        "soak --minutes=0, '--minutes takes 1 to 1440, not 0.'",
        "ingest --jvms=0, a number is too small",
        "ingest --threads=0, a number is too small",
        "ingest --to=db:9000, --to",
        "ingest --duration=2h, --duration",
        "ingest --duration=5x, --duration"
    })
    void refuseWhatTheyCannotMeasure(String typed, String said) {
        String[] words = typed.split(" ");
        assertThat(run(words[0], List.of(words).subList(1, words.length).toArray(String[]::new)))
                .isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(this.said.toString()).contains(said, "Usage: ", "--help");
    }

    @Test
    void benchRefusesAnOlderRunThatIsNotThereBeforeItMeasures() {
        String missing = folder.resolve("old.json").toString();
        assertThat(run("bench", "--compare", missing, "--output", folder.toString()))
                .isEqualTo(CommandLine.ExitCode.SOFTWARE);
        assertThat(said.toString()).startsWith("threadclock bench: Reading results from " + missing);
    }

    @Test
    void benchRefusesAFolderThatCannotBeBeforeItMeasures() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(run("bench", "--output", file.resolve("report").toString()))
                .isEqualTo(CommandLine.ExitCode.SOFTWARE);
        assertThat(said.toString()).contains("for the report failed: ", "Name another folder by --output.");
    }

    @Test
    void benchFailsByAMissedGoalIfItWasAskedToCheckThem() {
        assertThat(verdict()).isEqualTo(CommandLine.ExitCode.OK);
        assertThat(said.toString()).isEmpty();
        assertThat(verdict("--check")).isEqualTo(CommandLine.ExitCode.SOFTWARE);
        assertThat(said.toString()).contains("goals are reached.\nMissed:\n  JDK ");
    }

    @Test
    void ingestSaysInOneLineThatThereIsNoServer() {
        assertThat(run("ingest", "--duration=1s", "--to=http::addr=127.0.0.1:1;"))
                .isEqualTo(1);
        assertThat(said.toString().lines().skip(1))
                .singleElement()
                .asString()
                .contains("writing to http://127.0.0.1:1: it cannot be connected to. Start the server");
    }

    private int verdict(String... options) {
        Bench bench = new Bench();
        bench.commandLine().setOut(new PrintWriter(said)).parseArgs(options);
        return bench.verdict(Results.kept(Path.of(".."), "bench").read());
    }

    private int run(String command, String... arguments) {
        return COMMANDS.get(command)
                .get()
                .commandLine()
                .setErr(new PrintWriter(said))
                .execute(arguments);
    }
}
