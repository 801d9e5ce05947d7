// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AttachAnswerTest {
    /** The highest bit but one of a measurement is set. */
    @Test
    void everyNumberThatAnAgentCanReturnIsOne() {
        for (int code : new int[] {0, -1, 105, 1149243890, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            AttachAnswer answer = AttachSocket.answered("0\nreturn code: " + code + "\n", "", System.nanoTime());
            assertThat(answer.kind()).isEqualTo(AttachAnswer.Kind.RETURNED);
            assertThat(answer.code()).isEqualTo(code);
        }
    }

    @Test
    void whatAJvmAnswersOfItsVersionIsALine() {
        assertThat(AttachSocket.version("0\nOpenJDK 64-Bit Server VM version 25.504-b08\nJDK 8.0_504\n"))
                .isEqualTo("JDK 8.0_504, OpenJDK 64-Bit Server VM");
        assertThat(AttachSocket.version("1\nUnknown diagnostic command\n")).isEqualTo("unknown");
    }

    @Test
    void whatAJvmAnswersIsCut() {
        AttachAnswer answer =
                new AttachAnswer(AttachAnswer.Kind.NOT_LOADED, 0, "x".repeat(100_000), "y".repeat(100_000), 0);
        assertThat(answer.text()).hasSize(1000);
        assertThat(answer.jvm()).hasSize(1000);
    }
}
