// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JvmLabelsTest {
    private final JvmLabels labels = new JvmLabels();

    @Test
    void jvmsOfOneProgramAreNumberedAndARestartedOneHasItsNameAgain() {
        assertThat(labels.take("app.jar")).isEqualTo("app.jar");
        assertThat(labels.take("app.jar")).isEqualTo("app.jar-2");
        assertThat(labels.take("other.jar")).isEqualTo("other.jar");
        labels.giveBack("app.jar");
        assertThat(labels.take("app.jar")).isEqualTo("app.jar");
        assertThat(labels.take("app.jar")).isEqualTo("app.jar-3");
    }

    @Test
    void whateverAProgramIsCalledItsLabelIsShortAndOneLine() {
        assertThat(labels.take("a\u001b\n" + "x".repeat(500))).hasSize(100).startsWith("a??xx");
    }
}
