// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.report.Errors.ErrorWindow;
import io.threadclock.lab.results.Results;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ErrorBoundTest {
    private static final Results RESULTS = MadeUpLaboratory.ofTwoReaders()
            .user("mix-50us", "10ms", "smoothed", 7, 9)
            .add("mix-2us", "10ms", "smoothed", "user", "bias", -30)
            .results();

    @Test
    void isHeldAgainstTheWorstOfTheWorkloads() {
        assertThat(bound("mean", 6.9, Set.of(), Set.of()).complaint(RESULTS))
                .hasValue(
                        "mix-50us: mean error of user time by smoothed over 10 ms of CPU time ≤ 6.9 points, but was 7.0");
        assertThat(bound("mean", 7.0, Set.of(), Set.of()).complaint(RESULTS)).isEmpty();
    }

    @Test
    void knowsABiasByItsSize() {
        assertThat(bound("bias", 29, Set.of(), Set.of()).complaint(RESULTS)).isPresent();
    }

    @Test
    void isOfSomeWorkloadsAlone() {
        assertThat(bound("mean", 1, Set.of("spin"), Set.of()).complaint(RESULTS))
                .isEmpty();
        assertThat(bound("mean", 1, Set.of(), Set.of("mix-50us")).complaint(RESULTS))
                .isEmpty();
    }

    @Test
    void isBrokenByWhatIsNoNumber() {
        Results broken = MadeUpLaboratory.ofTwoReaders()
                .add("mmap", "10ms", "smoothed", "user", "mean", Double.NaN)
                .results();
        assertThat(bound("mean", 100, Set.of(), Set.of()).complaint(broken)).isPresent();
    }

    /** A bound that no run can break is no promise. */
    @Test
    void isSetForEveryReaderOfThisLibrary() {
        assertThat(ErrorBound.all()).extracting(ErrorBound::reader).contains("smoothed", "kernel", "sampled");
        assertThat(ErrorBound.all())
                .allSatisfy(bound -> assertThat(bound.most()).isPositive().isLessThan(1e6));
    }

    private static ErrorBound bound(String statistic, double most, Set<String> workloads, Set<String> except) {
        return new ErrorBound("smoothed", ErrorWindow.TEN_MILLISECONDS, "user", statistic, most, workloads, except);
    }
}
