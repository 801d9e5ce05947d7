// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SectionTest {
    private static final TextTable TABLE = new TextTable(TextTable.left("a")).row("x");

    @Test
    void isTitleTableAndNotesForATerminal() {
        assertThat(new Section("Title", TABLE, List.of("one note")).toText())
                .isEqualTo("Title\n\na\n-\nx\n- one note\n\n");
    }

    @Test
    void isTheSameAsMarkdown() {
        assertThat(new Section("Title", TABLE, List.of("one note")).toMarkdown())
                .isEqualTo("**Title**\n\n| a |\n|---|\n| x |\n\n- one note\n\n");
    }
}
