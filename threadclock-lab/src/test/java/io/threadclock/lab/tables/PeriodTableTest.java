// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.AccuracyResults;
import org.junit.jupiter.api.Test;

class PeriodTableTest {
    private static final AccuracyResults RESULTS = MadeUpLaboratory.ofTwoReaders()
            .add("requests-pure", "period", "smoothed", "more", "median", 0.04)
            .add("requests-pure", "period", "smoothed", "more", "spread", 0.2)
            .user("requests-pure", "period", "sampled:500us", 4.4, 12)
            .add("requests-pure", "period", "sampled:500us", "more", "median", 3.1)
            .add("requests-pure", "period", "sampled:500us", "more", "spread", 0.4)
            .add("spin", "period", "sampled:500us", "more", "median", -0.2)
            .add("spin", "period", "sampled:500us", "more", "spread", 0.1)
            .results();

    private final PeriodTable table = new PeriodTable(RESULTS);

    @Test
    void hasTheErrorAndThePriceOfEachPeriod() {
        assertThat(table.columns()).containsExactly("split", "requests-pure", "spin");
        assertThat(table.rows().get(1)).containsExactly("sampled:500us", "4.4 (2.2), +3.1 ± 0.4 %", "–, -0.2 ± 0.1 %");
    }

    @Test
    void takesTheErrorOfASplitWithoutAPeriodFromTheSameWindowsElsewhere() {
        assertThat(table.rows().get(0)).containsExactly("smoothed", "48 (24), +0.0 ± 0.2 %", "0.25 (0.13)");
    }

    @Test
    void isLeftOutWhereNothingWasMeasured() {
        AccuracyResults none = MadeUpLaboratory.ofTwoReaders().results();
        assertThat(new PeriodTable(none).isEmpty()).isTrue();
        assertThat(new AccuracyReport(none).toMarkdown()).doesNotContain("of each period");
    }

    @Test
    void standsInTheReportAndNowhereElse() {
        AccuracyReport report = new AccuracyReport(RESULTS);
        assertThat(report.toMarkdown())
                .contains("**Cost and error of each period: ", "| sampled:500us | 4.4 (2.2), +3.1 ± 0.4 % |", "- Each cell has ");
        assertThat(report.tables()).allSatisfy(other -> assertThat(other.columns())
                .noneMatch(column -> column.startsWith("sampled:")));
    }
}
