// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AttachAnswerTest {
    @Test
    void comesBackFromALine() {
        AttachAnswer answer = new AttachAnswer(AttachAnswer.Kind.NOT_LOADED, -3, "no such file", "JDK 8, VM", 132);
        assertThat(AttachAnswer.ofLine(answer.toLine())).hasValue(answer);
    }

    @Test
    void aTextOfSeveralLinesStaysOneLine() {
        String line = new AttachAnswer(AttachAnswer.Kind.NOT_ATTACHED, 0, "a\n\tb", "", 0).toLine();
        assertThat(line).hasLineCount(1);
        assertThat(AttachAnswer.ofLine(line).orElseThrow().text()).isEqualTo("a b");
    }

    @Test
    void whatTheRuntimeItselfPrintsIsNoAnswer() {
        assertThat(AttachAnswer.ofLine("OpenJDK 64-Bit Server VM warning: RETURNED\t0"))
                .isEmpty();
        assertThat(AttachAnswer.ofLine("RETURNED\t0")).as("cut").isEmpty();
        assertThat(AttachAnswer.ofLine("RETURNED\tx\t0\t\t"))
                .as("with no number")
                .isEmpty();
        assertThat(AttachAnswer.ofLine(AttachAnswer.silent().toLine())).isPresent();
    }

    /** The highest bit but one of a measurement is set. */
    @Test
    void everyNumberThatAnAgentCanReturnIsOne() {
        for (int code : new int[] {0, -1, 105, 1149243890, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            AttachAnswer answer = AttachClient.answered("0\nreturn code: " + code + "\n", "", System.nanoTime());
            assertThat(answer.kind()).isEqualTo(AttachAnswer.Kind.RETURNED);
            assertThat(AttachAnswer.ofLine(answer.toLine()).orElseThrow().code())
                    .isEqualTo(code);
        }
    }

    @Test
    void whatAJvmAnswersIsCut() {
        AttachAnswer answer =
                new AttachAnswer(AttachAnswer.Kind.NOT_LOADED, 0, "x".repeat(100_000), "y".repeat(100_000), 0);
        assertThat(answer.text()).hasSize(1000);
        assertThat(answer.jvm()).hasSize(1000);
    }
}
