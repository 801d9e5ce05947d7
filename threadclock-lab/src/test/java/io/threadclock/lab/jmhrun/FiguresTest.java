// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmhrun;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.util.MultisetStatistics;

class FiguresTest {
    private static final Subject READ = new Subject("jmh.average", "17.0.15", "rdtsc", "one read", null);
    private static final Subject OTHER = new Subject("jmh.average", "17.0.15", "empty", "one read", null);

    private final Figures figures = new Figures();

    @Test
    void areTheIterationsOfAllForks() {
        figures.add(READ, "ns", List.of(1.0, 2.0));
        figures.add(OTHER, "ns", List.of(9.0));
        figures.add(READ, "ns", List.of(3.0));
        assertThat(figures.series())
                .containsExactly(
                        new Series(READ, "ns", List.of(1.0, 2.0, 3.0)), new Series(OTHER, "ns", List.of(9.0)));
    }

    @Test
    void areDistributedAsTheSamplesOfAllForksTogether() {
        figures.addSamples(READ, samples(20, 98));
        figures.addSamples(READ, samples(10, 1));
        figures.addSamples(READ, samples(5000, 1));
        Distribution distribution = figures.distributions().get(0);
        assertThat(distribution.count()).isEqualTo(100);
        assertThat(distribution.mean()).isEqualTo((98 * 20 + 10 + 5000) / 100.0);
        assertThat(distribution.percentiles())
                .containsEntry(0.0, 10.0)
                .containsEntry(50.0, 20.0)
                .containsEntry(95.0, 20.0)
                .containsEntry(100.0, 5000.0)
                .containsOnlyKeys(0.0, 50.0, 90.0, 95.0, 99.0, 99.9, 99.99, 100.0);
    }

    @Test
    void haveNothingOfWhatWasForgotten() {
        figures.add(READ, "ns", List.of(1.0));
        figures.addSamples(READ, samples(20, 1));
        figures.forget(READ);
        assertThat(figures.series()).isEmpty();
        assertThat(figures.distributions()).isEmpty();
    }

    @Test
    void areWithoutWhatWasTakenOut() {
        figures.add(READ, "B", List.of(40.0));
        assertThat(figures.take(READ)).contains(new Series(READ, "B", List.of(40.0)));
        assertThat(figures.take(READ)).isEmpty();
        assertThat(figures.series()).isEmpty();
    }

    private static MultisetStatistics samples(double ns, long count) {
        MultisetStatistics samples = new MultisetStatistics();
        samples.addValue(ns, count);
        return samples;
    }
}
