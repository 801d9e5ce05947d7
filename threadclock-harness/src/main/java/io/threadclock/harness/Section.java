// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.util.List;

/** A table with its title above and its notes below. */
public record Section(String title, TextTable table, List<String> notes) {
    public String toText() {
        return title + "\n\n" + table.toText() + bullets() + "\n";
    }

    public String toMarkdown() {
        return "**" + title + "**\n\n" + table.toMarkdown() + "\n" + bullets() + (notes.isEmpty() ? "" : "\n");
    }

    private String bullets() {
        StringBuilder text = new StringBuilder();
        notes.forEach(note -> text.append("- ").append(note).append('\n'));
        return text.toString();
    }
}
