// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import io.threadclock.CostsByKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class CostsByKeyMetricsTest extends MeteredTest {
    private final CostsByKey<Object> costs = new CostsByKey<>(3);

    private double parts(String key) {
        return sum("threadclock.key.parts", "key", key, "name", "tenant", "shop", "x");
    }

    @Test
    void keysOfOneTextAreOneSeriesAndAllOthersOneAndTheyAddUp() {
        CostsByKeyMetrics metrics = new CostsByKeyMetrics(costs, "tenant", Tags.of("shop", "x"));
        metrics.freshNs = 0;
        metrics.bindTo(registry);
        StringBuilder changing = new StringBuilder("first");
        List.of(1, 1L).forEach(key -> costs.enter(key).close());
        inThread(() -> costs.enter(changing)); // ends in its part
        List.of("b", "c").forEach(key -> costs.enter(key).close());
        parts(CostsByKeyMetrics.OTHERS); // a scrape, which finds the keys
        changing.append(" name");
        assertThat(List.of(parts("1"), parts("first"), parts(CostsByKeyMetrics.OTHERS)))
                .containsExactly(2.0, 1.0, 2.0);
        assertThat(meters("threadclock.key.parts")).hasSize(3);
        assertThat(sum("threadclock.key.unmeasured", "key", "first")).isOne();
        assertThat(sum("threadclock.key.run.delay", "key", "first")).isZero();
        long keysNs = costs.read().keys().stream()
                .mapToLong(key -> key.getValue().cpuTimeNs())
                .sum();
        assertThat(Math.round(1e9 * sum("threadclock.key.cpu.time")))
                .isEqualTo(keysNs + costs.read().rest().cpuTimeNs());
    }
}
