// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.harness.SetupException;
import io.threadclock.lab.results.ErrorFigure;
import org.junit.jupiter.api.Test;

class AccuracyTest {
    private static final String FIGURE = "{\"answer\": {\"workload\": \"spin\", \"over\": \"1s\", \"reader\": "
            + "\"ticks\", \"quantity\": \"user\", \"statistic\": \"bias\", \"amount\": -1.500, \"errors\": 3}}";

    @Test
    void takesFiguresAndNotesOfWhatMakePrints() {
        String printed = "  CC src/a.c\n# perf refused: EACCES\n" + FIGURE + "\n";
        assertThat(Accuracy.Laboratory.notesIn(printed)).containsExactly("perf refused: EACCES");
        assertThat(Accuracy.Laboratory.figuresIn(printed))
                .containsExactly(new ErrorFigure("spin", "1s", "ticks", "user", "bias", -1.5, 3));
    }

    @Test
    void refusesOutputWithoutAFigure() {
        refuses("# nothing\nmake: *** [Makefile:3] Error 1\n", "make: *** [Makefile:3] Error 1");
        refuses("", "nothing");
    }

    @Test
    void refusesALineThatIsCutOff() {
        refuses(FIGURE + "\n" + FIGURE.substring(0, FIGURE.length() - 6), "\"spin\"");
        refuses(FIGURE.replace("3}}", "1x0}}"), "1x0");
    }

    private static void refuses(String printed, String quoted) {
        assertThatThrownBy(() -> Accuracy.Laboratory.figuresIn(printed))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("make -C threadclock-native accuracy", quoted, "by hand");
    }
}
