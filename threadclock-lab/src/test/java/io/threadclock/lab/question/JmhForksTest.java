// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.diagnostics.ClockBinding;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.question.JmhForks.Outcome;
import io.threadclock.lab.question.JmhPlan.Length;
import io.threadclock.lab.question.JmhTasks.JmhTask;
import io.threadclock.lab.question.JmhTasks.JmhTask.Measure;
import io.threadclock.lab.results.Measurement.Subject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts JVMs. */
class JmhForksTest {
    private static final Length SHORT = new Length(1, 4, 10, 2, 50);
    /** It makes so many reads that JMH's own allocations in an iteration are nothing to each, even on busy CPUs. */
    private static final Length LONGER = new Length(1, 4, 10, 2, 500);

    /** A thread of an iteration of 50 ms may be stopped for most of it, after its first call. */
    private static final double MOST_NS = 1e9;

    private static final Path NO_FILE = Path.of("/no/such/library.so");
    private static final String LOG = "logs/jmh.log";
    private static final Contender BY_JNI = Contender.library(ClockBinding.JNI);

    @TempDir
    private Path folder;

    @Test
    void measuresEachIteration() {
        Outcome outcome = run("OneRead.systemNanoTime", Measure.MEAN_TIME, Contender.STOCK);
        assertThat(outcome.figures()).as("ns").hasSize(2).allMatch(ns -> ns > 1 && ns < MOST_NS);
        assertThat(folder.resolve(LOG)).content().contains("OneRead.systemNanoTime");
    }

    @Test
    void measuresEachOfManyThreads() {
        Outcome outcome = run("OneRead.systemNanoTime", Measure.MEAN_TIME, Contender.STOCK, 3);
        assertThat(outcome.figures()).as("ns").hasSize(2).allMatch(ns -> ns > 1 && ns < MOST_NS);
        assertThat(outcome.iterations()).allSatisfy(each -> assertThat(each.getRawPrimaryResults())
                .as("means of threads")
                .hasSize(3));
    }

    @Test
    void takesSamples() {
        Outcome outcome = run("OneRead.empty", Measure.TIME_OF_SAMPLES, Contender.STOCK);
        assertThat(outcome.samples().getN()).as("samples").isPositive();
        assertThat(outcome.samples().getPercentile(0)).as("the least in ns").isBetween(0.0, 10_000.0);
    }

    @Test
    void seesAnAllocationAndNoneWhereThereIsNone() {
        Outcome control = run("ReadAllocation." + AllocationCheck.CONTROL, Measure.ALLOCATION, BY_JNI, 1, LONGER);
        Outcome read = run("ReadAllocation.userTimeNs", Measure.ALLOCATION, BY_JNI, 1, LONGER);
        assertThat(control.figures()).as("B of an object").allMatch(bytes -> bytes >= 16);
        assertThat(AllocationCheck.isBreach(read.figures()))
                .as("%s B of a read", read.figures())
                .isFalse();
    }

    @Test
    void tellsWhatTheAgentSays() {
        Outcome outcome = run("OneRead.empty", Measure.MEAN_TIME, Contender.source("nonsense"));
        assertThat(AgentLibrary.refusalIn(outcome.agentLines()))
                .hasValueSatisfying(line -> assertThat(line).contains("nonsense"));
    }

    @Test
    void saysWhatABenchmarkFailedOf() {
        assertThatThrownBy(() -> run("OneRead.rdtsc", Measure.MEAN_TIME, Contender.STOCK))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("OneRead.rdtsc")
                .hasMessageContaining(NO_FILE.toString())
                .hasMessageContaining(LOG);
    }

    @Test
    void findsWhatTheAgentSaysWhereverJmhWasInItsLine() {
        assertThat(JmhForks.agentLines("# Fork: 1 of 1\nthreadclock: one\n# Warmup Iteration   1: threadclock: two\n"))
                .containsExactly("threadclock: one", "threadclock: two");
    }

    @Test
    void takesNoNameOfAFileForWhatTheAgentSays() {
        assertThat(JmhForks.agentLines("# VM options: -agentpath:/opt/threadclock/libthreadclock: x\n-threadclock: y"))
                .isEmpty();
    }

    private Outcome run(String benchmark, Measure measure, Contender contender) {
        return run(benchmark, measure, contender, 1);
    }

    private Outcome run(String benchmark, Measure measure, Contender contender, int threads) {
        return run(benchmark, measure, contender, threads, SHORT);
    }

    private Outcome run(String benchmark, Measure measure, Contender contender, int threads, Length length) {
        Subject subject = new Subject("benchmark", "", "contender", "quantity", null);
        AgentLibrary agent = AgentLibrary.in(Path.of(".."));
        return new JmhForks(Jdks.running(), agent, NO_FILE, folder.resolve(LOG))
                .run(new JmhTask(subject, measure, benchmark, contender, threads, 1), length);
    }
}
