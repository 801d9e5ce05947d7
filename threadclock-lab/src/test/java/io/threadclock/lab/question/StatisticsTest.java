// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.threadclock.harness.Spread;
import io.threadclock.lab.program.Breaches.Breach;
import io.threadclock.lab.program.Breaches.Counts;
import io.threadclock.lab.program.EngineProgram.Slice;
import io.threadclock.lab.program.EngineProgram.Way;
import io.threadclock.lab.question.SoakResult.Growth;
import io.threadclock.lab.report.ErrorBound;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How figures become what is published, and what makes bench and soak fail. */
class StatisticsTest {
    private static final Origin NOWHERE = new Origin("", "", "2026-11-21", 0, "", false, 1, "", null, "", List.of());

    @Test
    void contendersThatWereMeasuredInTurnAreComparedRoundByRoundAndOthersByTheirMedians() {
        Contest contest = contest(figure("stock", 400, 800, 300), figure("attached", 10, 40, 10), figure("other", 50));
        assertThat(contest.gain("attached")).isEqualTo(new Spread(30, 20, 40));
        assertThat(contest.timesStock("attached")).isEqualTo(new Spread(1 / 30.0, 1 / 40.0, 1 / 20.0));
        assertThat(contest.gain("other")).isEqualTo(new Spread(8, 8, 8));
        assertThat(Spread.of(4, 1, 2, 3)).isEqualTo(new Spread(2.5, 1, 4));
        assertThatThrownBy(() -> contest.of("source=perf")).hasMessageContaining("not measured: Subject[");
    }

    /** Wilcoxon's table, n = 10: two-sided 5 % at rank sums of 8 and below, so 8 of the 55 means are outside. */
    @Test
    void theCentreOfManyFiguresHasTheBoundsOfTheTables() {
        assertThat(CentreInterval.of(List.of(1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0)))
                .isEqualTo(new CentreInterval(64, 6, 257));
        assertThat(CentreInterval.of(List.of(3.0))).isEqualTo(new CentreInterval(3, 3, 3));
    }

    /** The rounds lose 10 %, 1 % and nothing; the median slices of the two are of different rounds, and equal. */
    @Test
    void whatReadingCostsAProgramIsComparedWithinARound() {
        Block block = new Block(
                List.of(
                        new Slice(Way.NONE, 1e5, 1e5),
                        new Slice(Way.STOPWATCH, 1e5 / 0.9, 1e5),
                        new Slice(Way.STOPWATCH, 3e5 / 0.99, 1e5),
                        new Slice(Way.NONE, 3e5, 1e5),
                        new Slice(Way.NONE, 2e5, 1e5),
                        new Slice(Way.STOPWATCH, 2e5, 1e5)),
                2);
        assertThat(block.throughputCostPercent(Way.STOPWATCH)).isCloseTo(1, within(1e-9));
        assertThatThrownBy(() -> new Block(Collections.nCopies(3, new Slice(Way.NONE, 1, 1)), 2))
                .hasMessage("3 slices in rounds of 2");
    }

    @Test
    void theErrorsOfWindowsHaveABiasAndAMeanAnd95PerCentBelowABoundAndRoundsHaveQuartiles() {
        List<Double> errors = IntStream.rangeClosed(1, 20)
                .mapToObj(i -> i % 2 == 0 ? (double) i : -i)
                .toList();
        assertThat(statistics("user", errors))
                .isEqualTo(Map.of("bias", 0.5, "mean", 10.5, "chance", 2 * Math.sqrt(35.0 / 20), "p95", 19.0));
        assertThat(statistics("more", List.of(8.0, 1.0, 4.0, 2.0))).isEqualTo(Map.of("median", 3.0, "spread", 3.0));
    }

    @Test
    void benchFailsIfAReadAllocatesOneObjectInHundredsOfReads() {
        assertThat(AllocationCheck.complaint(List.of(bytes(0.004, 0.0201), bytes(3.5, 0.002))))
                .isEmpty();
        assertThat(AllocationCheck.complaint(List.of(bytes(0.001), bytes(16 / 300.0))))
                .hasValueSatisfying(complaint -> assertThat(complaint)
                        .startsWith("Measuring what a read allocates, which must be nothing: read by library JNI"
                                + " on JDK 17 allocates 0.05 B. "));
    }

    @Test
    void growthIsWhatTheEndOfTheSecondHalfIsAboveItsBeginning() {
        assertThat(Growth.of(List.of(0L, 0L, 0L, 0L, 0L, 0L, 10L, 11L, 50L, 50L, 14L, 15L)))
                .isEqualTo(3);
        assertThat(Growth.of(List.of(1L, 9L, 1L, 9L, 1L, 9L, 1L, 9L, 1L, 9L, 1L, 9L)))
                .isZero();
        assertThat(Growth.of(
                        LongStream.range(0, 100).map(look -> look / 10).boxed().toList()))
                .as("what leaks slowly")
                .isPositive();
    }

    @Test
    void soakFailsByEachKindOfFault() {
        SoakResult result = new SoakResult("JDK 17", 8192);
        assertThat(SoakReport.of(NOWHERE, List.of(result)).faults()).isZero();
        result.told(List.of("threadclock: demotions 2, threads now 5, others' records 0"));
        result.refused("attach ended with status 1");
        result.crashed("it ended");
        result.counted(new Counts(9, 1, Map.of(Breach.EXCEPTION, 2L), Map.of(Breach.EXCEPTION, "worker-0: a b")), 100);
        for (int i = 0; i < Growth.FEWEST; i++) {
            result.looked(new ProcessLook(i, 0, 0, 0, 0));
        }
        assertThat(result.faults())
                .containsEntry("demotions of a source", 2L)
                .containsEntry("attach or detach refused", 1L)
                .containsEntry("JVM crashes", 1L)
                .containsEntry("exceptions", 2L)
                .containsEntry("more open files", 3L);
        assertThat(result.notes()).contains("attach ended with status 1", "it ended", "exceptions: worker-0: a b");
        assertThat(SoakReport.of(NOWHERE, List.of(result)).toText()).contains("Not 0: 9.");
    }

    @Test
    void theKeptSoakIsWhatItsDocumentSays() {
        Path checkout = Path.of("..").toAbsolutePath().normalize();
        SoakReport kept = new SoakReport(Results.kept(checkout, "soak").read());
        assertThat(kept.documents(checkout).drifted())
                .as("./threadclock soak --write makes both")
                .isEmpty();
    }

    /** A mean of 6 points, where 5 are promised, may be chance in 10 windows, and not in 200; 4 windows tell nothing. */
    @Test
    void aPromiseIsBrokenByMoreThanChance() {
        assertThat(complaint(100, 2, 10)).contains("spin: mean error of user time by sampled");
        assertThat(complaint(5, 2, 10)).isEmpty();
        assertThat(complaint(2, 10, 10)).isEmpty();
        assertThat(complaint(3, 10, 10)).isNotEmpty();
    }

    private static String complaint(int times, double one, double other) {
        List<Double> errors = IntStream.range(0, 2 * times)
                .mapToObj(i -> i % 2 == 0 ? one : other)
                .toList();
        Subject subject = new Subject("accuracy.10ms", "", "sampled", "user", null, "spin");
        Results results = new Results(
                NOWHERE, List.of(WindowStatistics.of(Measurement.of(subject, "points", errors))), List.of());
        return ErrorBound.all().stream()
                .flatMap(bound -> bound.complaint(results).stream())
                .collect(Collectors.joining("\n"));
    }

    private static Map<String, Double> statistics(String quantity, List<Double> figures) {
        Subject subject = new Subject("accuracy.10ms", "", "smoothed", quantity, null, "spin");
        return WindowStatistics.of(Measurement.of(subject, "%", figures)).statistics();
    }

    private static Measurement figure(String contender, double... ns) {
        Subject subject = new Subject("loop", "17", contender, "user time", null);
        return Measurement.of(subject, "ns", Arrays.stream(ns).boxed().toList());
    }

    private static Measurement bytes(Double... iterations) {
        Subject subject = new Subject(Benchmarks.JMH_ALLOCATION, "17", "library JNI", "read", null);
        return Measurement.of(subject, "B", List.of(iterations));
    }

    private static Contest contest(Measurement... figures) {
        return new Contest(new Results(NOWHERE, List.of(figures), List.of()), "loop", "17", "user time");
    }
}
