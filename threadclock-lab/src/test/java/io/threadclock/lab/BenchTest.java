// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.question.Plan;
import io.threadclock.lab.results.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchTest {
    private final StringWriter errors = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void namesAnOptionThatItDoesNotKnow() {
        assertThat(run("--bogus")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString())
                .contains("--bogus", "--quick", "--full", "--jdks", "--compare", "--output", "--check", "--write");
    }

    @Test
    void isEitherQuickOrFull() {
        assertThat(run("--quick", "--full")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains("mutually exclusive");
    }

    @Test
    void measuresOnePartAlone() {
        assertThat(run("--virtual", "--spans")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains("mutually exclusive");
    }

    @Test
    void refusesAnOlderRunThatIsNotThereBeforeItMeasures() {
        String missing = folder.resolve("old.json").toString();
        assertThat(run("--compare", missing, "--output", folder.toString())).isEqualTo(CommandLine.ExitCode.SOFTWARE);
        assertThat(errors.toString()).startsWith("threadclock bench: Reading results from " + missing);
    }

    @Test
    void refusesAFolderThatCannotBeBeforeItMeasures() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(run("--output", file.resolve("report").toString())).isEqualTo(CommandLine.ExitCode.SOFTWARE);
        assertThat(errors.toString()).contains("for the report failed: ", "Name another folder by --output.");
    }

    @Test
    void failsByAMissedGoalIfItWasAskedToCheckThem() {
        Results results = Results.kept(Path.of(".."), "bench").read();
        StringWriter said = new StringWriter();
        assertThat(verdict(results, said)).isEqualTo(CommandLine.ExitCode.OK);
        assertThat(said.toString()).isEmpty();
        assertThat(verdict(results, said, "--check")).isEqualTo(CommandLine.ExitCode.SOFTWARE);
        assertThat(said.toString()).contains("goals are reached.\nMissed:\n  JDK ");
    }

    @Test
    void givesEachOfManyJdksLess() {
        Plan two = Plan.of(Plan.Length.USUAL, 2);
        assertThat(Plan.of(Plan.Length.USUAL, 4).latency().sliceMs())
                .isEqualTo(two.latency().sliceMs() / 2);
        assertThat(Plan.of(Plan.Length.USUAL, 1).latency().sliceMs())
                .isEqualTo(two.latency().sliceMs());
    }

    private static int verdict(Results results, StringWriter said, String... options) {
        CommandLine line = new Bench().commandLine().setOut(new PrintWriter(said));
        line.parseArgs(options);
        return ((Bench) line.getCommand()).verdict(results);
    }

    private int run(String... arguments) {
        return new Bench().commandLine().setErr(new PrintWriter(errors)).execute(arguments);
    }
}
