// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdks;
import io.threadclock.lab.question.Accuracy;
import io.threadclock.lab.question.SegmentAccuracy;
import io.threadclock.lab.report.ErrorBound;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.ResultsFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands for which the wide run has no part, in their shortest settings, on the JDK of the build. Five minutes. */
@Tag("timing")
@Timeout(1800)
class CommandsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(20);
    /** With few windows, on a machine that others share, a third of the promises would be missed by chance. */
    private static final double SLACK = 3;

    private static final double MOST_SEGMENT_ERROR_NS = 500;

    private final Path home = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @Test
    void demoComparesCallsChargesAndPhasesOfTheTick() {
        assertThat(printed(Demo.class, "--quick", jdk()))
                .contains("One call of ThreadMXBean around a unit", "User time that each unit of work is charged");
    }

    @ParameterizedTest
    @CsvSource({"--virtual, virtual.json, 'unmount + mount, yield'", "--spans, spans.json, 'a span with one scope, '"})
    void benchMeasuresAPartAlone(String part, String file, String row) {
        assertThat(printed(Bench.class, "--quick", part, jdk(), "--output", folder.toString()))
                .contains(row);
        assertThat(new ResultsFile(folder.resolve(file)).read().measurements()).isNotEmpty();
    }

    /** Its status also tells what a disturbed machine misses; so its figures are judged here, with slack. */
    @Test
    void accuracyKeepsWhatItsDocumentPromises() {
        ChildResult ended = command(Accuracy.class, "--quick", jdk(), "--output", folder.toString())
                .run();
        assertThat(ended.stdout()).as(ended.stderr()).contains("smoothed", "sampled", "The report: ");
        assertThat(ended.exitStatus()).isIn(0, 1);
        Results all = new ResultsFile(folder.resolve("accuracy.json")).read();
        assertThat(ErrorBound.all().stream()
                        .map(bound -> bound.times(SLACK).complaint(all))
                        .flatMap(Optional::stream))
                .as("promises that are broken; the laboratory said: %s", all.notes())
                .isEmpty();
        List<Measurement> segments = all.of(Benchmarks.SEGMENTS).stream()
                .filter(each -> each.subject().quantity().equals(SegmentAccuracy.ERROR))
                .toList();
        assertThat(segments).isNotEmpty().allSatisfy(error -> assertThat(error.at(50))
                .as("median error of a segment beyond the kernel's readings, ns; %s", error.subject())
                .isLessThanOrEqualTo(MOST_SEGMENT_ERROR_NS));
    }

    private String printed(Class<?> main, String... arguments) {
        ChildResult ended = command(main, arguments).run();
        assertThat(ended.exitStatus())
                .as("%s%s", ended.stdout(), ended.stderr())
                .isZero();
        return ended.stdout();
    }

    private ChildJvm.Builder command(Class<?> main, String... arguments) {
        return ChildJvm.on(Jdks.running())
                .mainClass(main)
                .jvmOptions("-Djmh.ignoreLock=true") // JMH allows one run at a time; none of these figures is published
                .environment("THREADCLOCK_HOME", home.toString())
                .environment("THREADCLOCK_LIBRARY", AgentLibrary.in(home).path().toString())
                .arguments(arguments)
                .timeout(PATIENCE);
    }

    /** The JDK that builds them: profilers and servers crash on early-access ones. */
    private static String jdk() {
        return "--jdks=" + Runtime.version().feature();
    }
}
