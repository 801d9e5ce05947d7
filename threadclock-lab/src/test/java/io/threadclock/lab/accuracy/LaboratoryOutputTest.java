// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.accuracy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.lab.results.ErrorFigure;
import io.threadclock.harness.SetupException;
import org.junit.jupiter.api.Test;

class LaboratoryOutputTest {
    @Test
    void isFiguresAndComments() {
        LaboratoryOutput output = LaboratoryOutput.parse(
                "  CC src/a.c\n# perf refused: EACCES\nspin\t10ms\tsmoothed\tuser\tmean\t0.25\t100\n\nspin\t1s\tticks\tuser\tbias\t-1.5\t3\n");
        assertThat(output.notes()).containsExactly("perf refused: EACCES");
        assertThat(output.figures())
                .containsExactly(
                        new ErrorFigure("spin", "10ms", "smoothed", "user", "mean", 0.25, 100),
                        new ErrorFigure("spin", "1s", "ticks", "user", "bias", -1.5, 3));
    }

    @Test
    void isRefusedWithoutAFigure() {
        refuses("# nothing\nmake: *** [Makefile:3] Error 1\n", "make: *** [Makefile:3] Error 1");
        refuses("# nothing\n", "# nothing");
        refuses("", "nothing");
    }

    @Test
    void isRefusedWhereALineIsCutOff() {
        refuses("spin\t10ms\tsmoothed\tuser\tmean\t0.25", "spin\t10ms");
        refuses("spin\t10ms\tsmoothed\tuser\tmean\t0.25\t1x0\n", "1x0");
    }

    private static void refuses(String output, String quoted) {
        assertThatThrownBy(() -> LaboratoryOutput.parse(output))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("make -C threadclock-native accuracy", quoted, "by hand");
    }
}
