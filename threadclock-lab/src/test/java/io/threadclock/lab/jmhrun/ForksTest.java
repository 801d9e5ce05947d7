// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmhrun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.ClockBinding;
import io.threadclock.lab.jmhrun.Task.Measure;
import io.threadclock.lab.results.Subject;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.SetupException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts JVMs. */
class ForksTest {
    private static final Length SHORT = new Length(1, 4, 10, 2, 50);
    private static final Path NO_FILE = Path.of("/no/such/library.so");
    private static final String LOG = "logs/jmh.log";
    private static final Clock BY_JNI = Clock.library(ClockBinding.JNI);

    @TempDir
    private Path folder;

    @Test
    void measuresEachIteration() {
        Outcome outcome = run("OneRead.systemNanoTime", Measure.MEAN_TIME, Clock.STOCK);
        assertThat(outcome.figures()).as("ns").hasSize(2).allMatch(ns -> ns > 1 && ns < 1e6);
        assertThat(folder.resolve(LOG)).content().contains("OneRead.systemNanoTime");
    }

    @Test
    void measuresEachOfManyThreads() {
        Outcome outcome = run("OneRead.systemNanoTime", Measure.MEAN_TIME, Clock.STOCK, 3);
        assertThat(outcome.figures()).as("ns").hasSize(2).allMatch(ns -> ns > 1 && ns < 1e6);
        assertThat(outcome.iterations()).allSatisfy(each -> assertThat(each.getRawPrimaryResults())
                .as("means of threads")
                .hasSize(3));
    }

    @Test
    void takesSamples() {
        Outcome outcome = run("OneRead.empty", Measure.TIME_OF_SAMPLES, Clock.STOCK);
        assertThat(outcome.samples().getN()).isGreaterThan(100);
        assertThat(outcome.samples().getPercentile(50)).as("median in ns").isBetween(1.0, 10_000.0);
    }

    @Test
    void seesAnAllocationAndNoneWhereThereIsNone() {
        Outcome control = run("ReadAllocation." + AllocationCheck.CONTROL, Measure.ALLOCATION, BY_JNI);
        Outcome read = run("ReadAllocation.userTimeNs", Measure.ALLOCATION, BY_JNI);
        assertThat(control.figures()).as("B of an object").allMatch(bytes -> bytes >= 16);
        assertThat(AllocationCheck.isBreach(read.figures())).as("%s B of a read", read.figures()).isFalse();
    }

    @Test
    void tellsWhatTheAgentSays() {
        Outcome outcome = run("OneRead.empty", Measure.MEAN_TIME, Clock.agent("source=nonsense"));
        assertThat(AgentLibrary.refusalIn(outcome.agentLines())).hasValueSatisfying(line -> assertThat(line)
                .contains("nonsense"));
    }

    @Test
    void saysWhatABenchmarkFailedOf() {
        assertThatThrownBy(() -> run("OneRead.rdtsc", Measure.MEAN_TIME, Clock.STOCK))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("OneRead.rdtsc")
                .hasMessageContaining(NO_FILE.toString())
                .hasMessageContaining(LOG);
    }

    private Outcome run(String benchmark, Measure measure, Clock clock) {
        return run(benchmark, measure, clock, 1);
    }

    private Outcome run(String benchmark, Measure measure, Clock clock, int threads) {
        Subject subject = new Subject("benchmark", "", "contender", "quantity", null);
        AgentLibrary agent = AgentLibrary.in(Path.of(".."));
        return new Forks(Jdks.running(), agent, NO_FILE, folder.resolve(LOG))
                .run(new Task(subject, measure, benchmark, clock, threads, 1), SHORT);
    }
}
