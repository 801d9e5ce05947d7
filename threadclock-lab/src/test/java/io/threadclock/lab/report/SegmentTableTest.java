// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.question.SegmentAccuracy;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SegmentTableTest {
    private static final Map<Double, Double> NO_ERROR = Map.of(50.0, 0.0, 99.0, 0.0, 100.0, 2_500.0);

    @Test
    void hasTheErrorOfASegmentBesideTheReferencesOwn() {
        assertThat(table(NO_ERROR, 0.02, 0.1).table().toMarkdown())
                .contains("| 25.0.3 | yield | 1,200 | 1,000 | 0 | 2.50 | 90 | 700 | +0.020 ± 0.100 % |");
        assertThat(table(NO_ERROR, 0.02, 0.1).complaints()).isEmpty();
    }

    @Test
    void complainsOfAnErrorThatIsTooGreat() {
        assertThat(table(Map.of(50.0, 0.0, 99.0, 501.0, 100.0, 900.0), 0.02, 0.1)
                        .complaints())
                .containsExactly("JDK 25.0.3, yield: error of a segment at p99 ≤ 500 ns, but was 501");
    }

    @Test
    void complainsOfTimeThatIsMissing() {
        assertThat(table(NO_ERROR, -0.35, 0.1).complaints())
                .containsExactly("JDK 25.0.3, yield: conservation within 0.1 %, but was 0.250");
    }

    @Test
    void leavesOpenWhatTheKernelsReadingsLeaveOpen() {
        assertThat(table(NO_ERROR, -0.19, 0.1).complaints()).isEmpty();
    }

    @Test
    void isInTheReportOfARunThatHasMeasuredVirtualThreads() {
        Results results = table(NO_ERROR, 0, 0.1).results();
        assertThat(new AccuracyReport(results).toText()).contains("CPU time of a virtual thread's segments");
        assertThat(new AccuracyReport(results.with(List.of())).toText()).doesNotContain("segments");
    }

    private static SegmentTable table(Map<Double, Double> errors, double percent, double spread) {
        Measurement conservation = new Measurement(
                subject(SegmentAccuracy.CONSERVATION),
                "%",
                List.of(),
                1,
                Map.of(Measurement.MEAN, percent, SegmentAccuracy.SPREAD, spread),
                null);
        Stream<Measurement> times = Stream.of(
                ns(SegmentAccuracy.SEGMENT, 1e6, Map.of()),
                ns(SegmentAccuracy.ERROR, 1, errors),
                ns(SegmentAccuracy.FROM_MIDDLE, 1, Map.of(50.0, 90.0)),
                ns(SegmentAccuracy.APART, 1, Map.of(50.0, 700.0)));
        return new SegmentTable(MadeUpLaboratory.ofTwoReaders()
                .results()
                .with(Stream.concat(times, Stream.of(conservation)).toList()));
    }

    private static Measurement ns(String quantity, double mean, Map<Double, Double> percentiles) {
        return Measurement.of(subject(quantity), "ns", 1_200, mean, percentiles);
    }

    private static Subject subject(String quantity) {
        return new Subject(Benchmarks.SEGMENTS, "25.0.3", Contest.ACCOUNT, quantity, null, "yield");
    }
}
