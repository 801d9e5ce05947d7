// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.util.MultisetStatistics;

class JmhReadCostTest {
    @Test
    void isDistributedAsTheSamplesOfAllForksTogether() {
        MultisetStatistics all = new MultisetStatistics();
        JmhReadCost.addTo(all, samples(20, 98));
        JmhReadCost.addTo(all, samples(10, 1));
        JmhReadCost.addTo(all, samples(5000, 1));
        Measurement distribution =
                JmhReadCost.distribution(new Subject("jmh.sample", "17.0.15", "rdtsc", "one read", 1.0), all);
        assertThat(distribution.samples()).isEqualTo(100);
        assertThat(distribution.mean()).isEqualTo((98 * 20 + 10 + 5000) / 100.0);
        assertThat(distribution.percentiles())
                .containsEntry(0.0, 10.0)
                .containsEntry(50.0, 20.0)
                .containsEntry(95.0, 20.0)
                .containsEntry(100.0, 5000.0)
                .containsOnlyKeys(0.0, 50.0, 90.0, 95.0, 99.0, 99.9, 99.99, 100.0);
    }

    private static MultisetStatistics samples(double ns, long count) {
        MultisetStatistics samples = new MultisetStatistics();
        samples.addValue(ns, count);
        return samples;
    }
}
