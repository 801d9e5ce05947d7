// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import io.threadclock.harness.TextTable;
import java.util.List;

/** A table with its title above and its notes below. */
record Section(String title, TextTable table, List<String> notes) {
    String toText() {
        return title + "\n\n" + table.toText() + lines(notes) + "\n";
    }

    String toMarkdown() {
        return "**" + title + "**\n\n" + table.toMarkdown() + "\n" + lines(notes) + (notes.isEmpty() ? "" : "\n");
    }

    private static String lines(List<String> lines) {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }
}
