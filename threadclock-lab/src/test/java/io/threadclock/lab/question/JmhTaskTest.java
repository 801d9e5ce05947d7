// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.question.JmhTasks.JmhTask;
import io.threadclock.lab.question.JmhTasks.JmhTask.Measure;
import io.threadclock.lab.results.Measurement.Subject;
import org.junit.jupiter.api.Test;

class JmhTaskTest {
    @Test
    void ofNestedStopwatchesIsTheCostOfOne() {
        assertThat(task(16).ns(480)).isEqualTo(30);
    }

    @Test
    void ofManyThreadsIsWhatMostOfThemSee() {
        double hardlyRan = 150_000;
        double beganLast = 10;
        assertThat(task(1).ns(310, hardlyRan, 320, beganLast, 330)).isEqualTo(320);
    }

    private static JmhTask task(int depth) {
        Subject subject = new Subject("benchmark", "17", "contender", "quantity", null);
        return new JmhTask(subject, Measure.MEAN_TIME, "Class.method", Contender.STOCK, 5, depth);
    }
}
