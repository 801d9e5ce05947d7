// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import java.util.List;

class TaskCostIT {
    private static final String TASK = "the task";

    @OnOldestAndNewestJdk
    void isTheSumOfThePartsWhicheverThreadsDidThem(Jdk jdk) {
        Printed printed = Printed.by(TaskCost.class, jdk);
        List<List<Long>> parts = printed.lines().stream()
                .filter(line -> line.contains(" on pool-1-thread-"))
                .map(Printed::ns)
                .toList();
        List<Long> whole = Printed.ns(printed.line(TASK));
        assertThat(parts).as("parts of the task").hasSize(3);
        for (int quantity = 0; quantity < whole.size(); quantity++) {
            int figure = quantity;
            assertThat(whole.get(figure))
                    .as("figure %s of the task (CPU, user, system time), against the sum of its parts, in ns", figure)
                    .isEqualTo(
                            parts.stream().mapToLong(part -> part.get(figure)).sum());
        }
    }

    @OnOldestAndNewestJdk
    void hasAPriceInEachPart(Jdk jdk) {
        assertThat(Printed.by(TaskCost.class, jdk).lines())
                .map(line -> Printed.ns(line).get(0))
                .as("CPU time of the parts and of the task, in ns")
                .allMatch(cpuNs -> cpuNs > 0);
    }
}
