// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchTest {
    private final StringWriter errors = new StringWriter();

    @Test
    void namesAnOptionThatItDoesNotKnow() {
        assertThat(run("--bogus")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains("--bogus", "--quick", "--jdks", "--write");
    }

    @Test
    void readsTheLoadAverageOfTheLastMinute() {
        assertThat(LoadAverage.ofFile("0.42 1.05 2.00 3/456 7890\n")).isEqualTo("0.42");
    }

    @Test
    void givesEachOfManyJdksLess() {
        assertThat(BenchPlan.full(4).latencyMs()).isEqualTo(BenchPlan.full(2).latencyMs() / 2);
        assertThat(BenchPlan.full(1)).isEqualTo(BenchPlan.full(2));
    }

    private int run(String... arguments) {
        return Bench.commandLine().setErr(new PrintWriter(errors)).execute(arguments);
    }
}
