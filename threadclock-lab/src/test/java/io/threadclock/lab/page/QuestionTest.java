// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import io.threadclock.harness.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuestionTest {
    private static final List<Double> ROUNDS = List.of(-9.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 12.0);

    @Test
    void isAnsweredByMedianAndExtremes() {
        assertThat(Question.of("loop").summary(series("loop"))).isEqualTo(new Spread(0.4, -9.0, 12.0));
        assertThat(Question.of("loop").rangeTitle()).isEqualTo("least–most");
    }

    @Test
    void ofAnEnginesCostIsAnsweredByTheCentreAndHowWellThatIsKnown() {
        Spread cost = Question.of("engine.cost").summary(series("engine.cost"));
        assertThat(cost.least()).isGreaterThan(-9.0).isLessThan(cost.median());
        assertThat(cost.greatest()).isLessThan(12.0).isGreaterThan(cost.median());
        assertThat(Question.of("engine.cost").rangeTitle()).isEqualTo("95 %");
    }

    private static Series series(String benchmark) {
        return new Series(new Subject(benchmark, "17.0.15", "threadclock", "units of work", 1.0), "%", ROUNDS);
    }
}
