// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import static io.threadclock.lab.page.ResultsFixture.series;
import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private final Results older = ResultsFixture.with(
            series("loop", "threadclock", 20, 21, 22), series("loop", "stock", 9, 10, 11), series("loop", "empty", 1));

    @Test
    void givesOldAndNewAndTheirRatio() {
        assertThat(html(ResultsFixture.with(series("loop", "threadclock", 10, 10.5, 11))))
                .contains("<h3>Better: 1</h3>")
                .contains(">21.0 ns<", ">10.5 ns<", ">0.500×<");
    }

    @Test
    void putsWhatGotWorseFirst() {
        String html = html(
                ResultsFixture.with(series("loop", "threadclock", 10, 11), series("loop", "stock", 90, 100, 110)));
        assertThat(html.indexOf("<h3>Worse: 1</h3>")).isPositive().isLessThan(html.indexOf("<h3>Better: 1</h3>"));
    }

    @Test
    void showsNoNoiseAsChange() {
        assertThat(html(ResultsFixture.with(series("loop", "threadclock", 15, 16, 20))))
                .contains("No figure has changed by more than its rounds differ.")
                .contains("spreads overlap: 1</summary>")
                .doesNotContain("<h3>");
    }

    @Test
    void givesNoRatioOfWhatIsBelowNothing() {
        assertThat(html(ResultsFixture.with(series("loop", "threadclock", -1, -2)))).doesNotContain("-0.0");
    }

    @Test
    void countsWhatOnlyOneOfThemHas() {
        assertThat(html(ResultsFixture.with(series("loop", "stock", 10, 10), series("weather", "sun", 1))))
                .contains("Only in the older run: 2 figures; only in this one: 1.");
    }

    @Test
    void warnsWhereTheMachinesDiffer() {
        Origin other = new Origin("1", "x", "2026-01-01", 1, "Xeon", true, 2, "Linux 6.1", 250L, "0", List.of());
        Results elsewhere = new Results(Results.FORMAT, other, List.of(), List.of(), List.of(), List.of());
        assertThat(html(elsewhere))
                .contains("Not the same CPU: AMD EPYC → Xeon.")
                .contains("Not the same kernel: Linux 6.18.44-fc-v669 → Linux 6.1.")
                .doesNotContain("Not the same HZ");
    }

    private String html(Results newer) {
        Html html = new Html();
        new Comparison(older, newer).write(html);
        return html.toString();
    }
}
