// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.lab.results.Measurement.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsDraftTest {
    private static final Subject STOCK = new Subject("loop", "17", "stock", "user time", null);
    private static final Subject RSEQ = new Subject("loop", "17", "rseq", "user time", null);

    private final ResultsDraft draft = new ResultsDraft();

    @Test
    void keepsTheRoundsOfAFigureTogether() {
        draft.add(STOCK, "ns", 1);
        draft.add(RSEQ, "ns", 2);
        draft.add(STOCK, "ns", 3);
        assertThat(finished().of("loop"))
                .containsExactly(
                        Measurement.of(STOCK, "ns", List.of(1.0, 3.0)), Measurement.of(RSEQ, "ns", List.of(2.0)));
    }

    @Test
    void keepsAsManyDigitsAsAMeasurementCarries() {
        draft.add(STOCK, "ns", 12.345678901);
        assertThat(finished().find(STOCK).orElseThrow().rounds()).containsExactly(12.3457);
    }

    @Test
    void keepsEachDigitOfWhatIsCounted() {
        draft.add(Measurement.of(STOCK, "B", List.of(315_392_177.0)));
        assertThat(finished().find(STOCK).orElseThrow().rounds()).containsExactly(315_392_177.0);
    }

    @Test
    void refusesAFigureThatIsThereAlready() {
        draft.add(Measurement.of(STOCK, "ns", List.of(1.0)));
        assertThatThrownBy(() -> draft.add(Measurement.of(STOCK, "ns", List.of(2.0))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("measured twice");
    }

    @Test
    void isWithoutAFigureThatWasTakenOut() {
        draft.add(STOCK, "B", 40);
        assertThat(draft.take(STOCK)).contains(Measurement.of(STOCK, "B", List.of(40.0)));
        assertThat(draft.take(STOCK)).isEmpty();
        assertThat(finished().measurements()).isEmpty();
    }

    @Test
    void notesOnceWhatIsSaidInEachRound() {
        draft.note("perf was refused");
        draft.note("perf was refused");
        assertThat(finished().notes()).containsExactly("perf was refused");
    }

    private Results finished() {
        return draft.finish(new Origin("", "", "", 0, "", false, 1, "", null, "", List.of()));
    }
}
