// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.question.Soak;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Results;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Options that would measure something else than was asked for, and the exit status of a measured run. */
class CommandLinesTest {
    private static final Map<String, Supplier<LabCommand>> COMMANDS =
            Map.of("demo", Demo::new, "bench", Bench::new, "soak", Soak::new);

    private final StringWriter said = new StringWriter();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo --requests --quick",
                "demo --preload --requests",
                "bench --quick --full",
                "bench --virtual --spans",
                "soak --minutes=0"
            })
    void areRefused(String typed) {
        List<String> words = List.of(typed.split(" "));
        CommandLine command = COMMANDS.get(words.get(0)).get().commandLine().setErr(new PrintWriter(said));
        assertThat(command.execute(words.subList(1, words.size()).toArray(String[]::new)))
                .isEqualTo(CommandLine.ExitCode.USAGE);
    }

    @Test
    void benchFailsByABrokenPromiseIfItWasAskedToCheckThemButNotByAMissedAim() {
        Results kept = Results.kept(Path.of(".."), "bench").read();
        assertThat(verdict(kept, "--check")).isEqualTo(CommandLine.ExitCode.OK);
        assertThat(said.toString()).contains("Aims that are missed:").doesNotContain("Promises");
        Results slow = kept.with(
                kept.measurements().stream().map(CommandLinesTest::slower).toList());
        assertThat(verdict(slow, "--check")).isEqualTo(CommandLine.ExitCode.SOFTWARE);
        assertThat(said.toString()).contains("Promises that are broken:");
        assertThat(verdict(slow)).isEqualTo(CommandLine.ExitCode.OK);
    }

    private static Measurement slower(Measurement measured) {
        return measured.subject().benchmark().equals(Benchmarks.LOOP)
                        && measured.subject().contender().equals(Contest.THREADCLOCK)
                ? Measurement.of(
                        measured.subject(),
                        measured.unit(),
                        measured.rounds().stream().map(ns -> 100 * ns).toList())
                : measured;
    }

    private int verdict(Results results, String... options) {
        Bench bench = new Bench();
        bench.commandLine().setOut(new PrintWriter(said)).parseArgs(options);
        return bench.verdict(results);
    }
}
