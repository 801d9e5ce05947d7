// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.bench.Comparison.Form;
import io.threadclock.bench.Promise.Sense;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.SetupException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.AverageTimeResult;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.options.CommandLineOptions;

class BenchTest {
    private static final Jdk JDK = new Jdk(Path.of("/jdk"), "25.0.1", "");

    private Forks forks;

    @BeforeEach
    void create(@TempDir Path folder) throws Exception {
        forks = new Forks(new CommandLineOptions(), folder.resolve("jmh.log"));
    }

    @Test
    void aBrokenPromiseIsTheVerdict() {
        Promise kept = new Promise("kept", 5, Sense.AT_LEAST, 5);
        assertThat(Promise.areKept(List.of(kept))).isTrue();
        Promise broken = new Promise("large", 80.5, Sense.AT_MOST, 80);
        assertThat(broken).hasToString("BROKEN  large: 80.50, promised ≤ 80");
        assertThat(Promise.areKept(List.of(kept, broken))).isFalse();
    }

    @Test
    void aRatioIsOfOneRoundAndRoundsAreMerged() {
        Comparison gain = new Comparison("call", Form.GAIN, "A", "stock", "fast", 5, 11, Double.NaN);
        assertThat(gain.promise(JDK, forks).isBroken()).isFalse();
        for (int[] round : new int[][] {{100, 10}, {1000, 50}, {300, 60}}) {
            add("A", "stock", "", round[0], round[0] + 2);
            add("A", "fast", "", round[1]);
        }
        assertThat(forks.results()).hasSize(2);
        assertThat(forks.roundsNs(JDK, "A", "stock")).containsExactly(101, 1001, 301);
        assertThat(gain.promise(JDK, forks).measured()).isEqualTo(10.1);
        assertThat(gain.promise(JDK, forks).isBroken()).isTrue();
    }

    @Test
    void whatARefusedAgentLeavesIsNotMeasured() {
        add("A", "threadclock", "# Warmup: threadclock: the kernel is too old\n", 10);
        assertThat(forks.roundsNs(JDK, "A", "threadclock")).isEmpty();
        assertThat(forks.notes).containsExactly("A on JDK 25.0.1, threadclock: threadclock: the kernel is too old");
    }

    @Test
    void whatAllocatesBreaksAPromise() {
        add("OneRead.libraryObject", "library", "", 72);
        add("OneRead.libraryEveryRead", "library", "", 0.004);
        add("OneRead.libraryEveryRead", "library-jni", "", 16, 17);
        assertThat(forks.allocation(JDK)).extracting(Promise::isBroken).containsExactly(false, true);
        add("OneRead.libraryObject", "library", "", 0);
        assertThatThrownBy(() -> forks.allocation(JDK)).isInstanceOf(SetupException.class);
    }

    /** A round with an iteration for each value, which is its ns and its bytes. */
    private void add(String benchmark, String clock, String printed, double... values) {
        List<IterationResult> iterations = new ArrayList<>();
        for (double value : values) {
            IterationResult iteration = new IterationResult(null, null, null);
            iteration.addResult(new AverageTimeResult(ResultRole.PRIMARY, "call", 1, (long) value, NANOSECONDS));
            iteration.addResult(new ScalarResult("gc.alloc.rate.norm", value, "B/op", AggregationPolicy.AVG));
            iterations.add(iteration);
        }
        RunResult round = new RunResult(null, List.of(new BenchmarkResult(null, iterations)));
        forks.add(Forks.key(JDK, benchmark, clock), List.of(round), printed);
    }
}
