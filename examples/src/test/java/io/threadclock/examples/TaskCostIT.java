// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.harness.Jdk;
import java.util.List;
import java.util.concurrent.TimeUnit;

class TaskCostIT {
    private static final long LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(50);

    @OnOldestAndNewestJdk
    void addsUpThePartsWhicheverThreadsDidThem(Jdk jdk) {
        String task = Printed.by(TaskCost.class, jdk).line("the task");
        List<Long> ns = Printed.ns(task);
        assertThat(ns.get(0)).as("CPU time, in ns, of %s", task).isPositive().isEqualTo(ns.get(1) + ns.get(2));
        assertThat(task).containsPattern("; parts 3, threads [123]$");
    }

    @OnOldestAndNewestJdk
    void dividesTheWallTimeOfTheParts(Jdk jdk) {
        String task = Printed.by(TaskCost.class, jdk).line("the task");
        assumeThat(task).as("the task, whose run delay is known").doesNotContain("unknown");
        List<Long> ns = Printed.ns(task);
        assertThat(ns.get(0) + ns.get(4) + ns.get(5))
                .as("CPU time + run delay + not running, against wall time, in ns, of %s", task)
                .isEqualTo(ns.get(3));
        assertThat(task).containsPattern("; bytes [\\d,.\\h'\u2019]+; parts");
    }

    @OnOldestAndNewestJdk
    void isEndedByItsLimit(Jdk jdk) {
        String task = Printed.by(TaskCost.class, jdk).line("the endless task, ended by its limit");
        assertThat(Printed.ns(task).get(0)).as("CPU time, in ns, of %s", task).isGreaterThanOrEqualTo(LIMIT_NS);
    }
}
