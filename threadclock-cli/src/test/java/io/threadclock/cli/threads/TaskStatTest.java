// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TaskStatTest {
    private static final String TAIL = " S 1 2 3 0 -1 64 7 8 9 10 30 10 0 0 20 0 25 0 123456 1 2 3\n";

    @Test
    void readsStateTimesAndStart() {
        assertThat(TaskStat.parse("42 (main)" + TAIL)).isEqualTo(new TaskStat("main", 'S', 30, 10, 123456));
    }

    @Test
    void aNameMayHoldParenthesesAndSpaces() {
        assertThat(TaskStat.parse("42 (a) S 1 (b)" + TAIL)).isEqualTo(new TaskStat("a) S 1 (b", 'S', 30, 10, 123456));
    }

    @Test
    void userTimeIsTheSameShareOfExactCpuTime() {
        assertThat(TaskStat.parse("42 (main)" + TAIL).userNsOf(404_000_000)).isEqualTo(303_000_000);
    }

    @Test
    void withoutATickAllIsUserTime() {
        assertThat(new TaskStat("x", 'S', 0, 0, 1).userNsOf(123)).isEqualTo(123);
    }

    @Test
    void whatIsCutIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> TaskStat.parse("42 (main) S 1 2"));
        assertThatIllegalArgumentException().isThrownBy(() -> TaskStat.parse("42 (ma"));
    }
}
