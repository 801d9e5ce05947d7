// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static io.threadclock.lab.report.Table.number;
import static io.threadclock.lab.report.Table.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {
    private final Table table =
            new Table("", words("clock"), number("ns")).row("stock", "8,712").row("tc", "9");
    private final Table titled = new Table("Title", words("a"), number("b"))
            .row("x", "9.7 (9.6–9.9)")
            .note("one note");

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
    void hasItsTitleAboveAndItsNotesBelow() {
        assertThat(titled.toText()).startsWith("Title\n\na").endsWith("9.7 (9.6–9.9)\n- one note\n\n");
        assertThat(titled.toMarkdown())
                .isEqualTo("**Title**\n\n| a | b |\n|---|---:|\n| x | 9.7 (9.6–9.9) |\n\n- one note\n\n");
    }

    @Test
    void rendersTheSameRowsAsHtml() {
        Html html = new Html();
        titled.write(html);
        assertThat(html.toString())
                .contains("<figcaption>Title</figcaption>", "<th scope=\"row\">x</th>", "<li>one note</li>")
                .contains("<td class=\"amount\">9.7<span class=\"range\"> (9.6–9.9)</span>");
    }

    @Test
    void leavesNoBlanksAtTheEndOfALine() {
        assertThat(new Table("", words("a"), words("long title"))
                        .row("x", "y")
                        .toText()
                        .lines())
                .noneMatch(line -> line.endsWith(" "));
    }

    @Test
    void escapesBarsInMarkdown() {
        assertThat(new Table("", words("a")).row("x|y").toMarkdown()).contains("| x\\|y |");
    }

    @Test
    void refusesARowOfAnotherLength() {
        assertThatThrownBy(() -> table.row("only one"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("2 columns, but 1 cells");
    }
}
