// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static io.threadclock.harness.TextTable.left;
import static io.threadclock.harness.TextTable.right;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TextTableTest {
    private final TextTable table =
            new TextTable(left("clock"), right("ns")).row("stock", "8,712").row("tc", "9");

    @Test
    void alignsWordsLeftAndNumbersRight() {
        assertThat(table.toText())
                .isEqualTo(
                        """
                clock     ns
                -----  -----
                stock  8,712
                tc         9
                """);
    }

    @Test
    void rendersTheSameRowsAsMarkdown() {
        assertThat(table.toMarkdown())
                .isEqualTo(
                        """
                | clock | ns |
                |---|---:|
                | stock | 8,712 |
                | tc | 9 |
                """);
    }

    @Test
    void leavesNoBlanksAtTheEndOfALine() {
        assertThat(new TextTable(left("a"), left("long title"))
                        .row("x", "y")
                        .toText()
                        .lines())
                .noneMatch(line -> line.endsWith(" "));
    }

    @Test
    void escapesBarsInMarkdown() {
        assertThat(new TextTable(left("a")).row("x|y").toMarkdown()).contains("| x\\|y |");
    }

    @Test
    void refusesARowOfAnotherLength() {
        assertThatThrownBy(() -> table.row("only one"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("2 columns, but 1 cells");
    }
}
