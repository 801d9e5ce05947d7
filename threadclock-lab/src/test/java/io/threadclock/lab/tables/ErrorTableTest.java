// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.AccuracyResults;
import io.threadclock.lab.results.ErrorFigure;
import org.junit.jupiter.api.Test;

class ErrorTableTest {
    private static final AccuracyResults RESULTS = MadeUpLaboratory.ofTwoReaders().results();

    @Test
    void hasTheMeanAndThe95thPercentileOfEachReaderBesideTheTruth() {
        ErrorTable table = new ErrorTable(RESULTS, ErrorWindow.TEN_MILLISECONDS, ErrorFigure.USER);
        assertThat(table.columns()).containsExactly("workload", "truth: user", "ticks", "smoothed");
        assertThat(table.rows().get(0)).containsExactly("spin", "99.9 %", "20 (40)", "0.25 (1.5)");
        assertThat(table.rows()).hasSize(1);
    }

    @Test
    void leavesOutReadersThatSayNothingOfTheQuantity() {
        ErrorTable table = new ErrorTable(RESULTS, ErrorWindow.TEN_MILLISECONDS, ErrorFigure.CPU);
        assertThat(table.columns()).containsExactly("workload", "smoothed");
        assertThat(table.rows().get(0)).containsExactly("spin", "140 (2,100)");
    }

    @Test
    void isEmptyWhereNothingWasMeasured() {
        assertThat(new ErrorTable(RESULTS, ErrorWindow.THREAD, ErrorFigure.USER).isEmpty()).isTrue();
        assertThat(new ErrorTable(RESULTS, ErrorWindow.REQUEST, ErrorFigure.CPU).isEmpty()).isTrue();
    }
}
