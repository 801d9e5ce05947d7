// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table of text: aligned columns for a terminal, or the same rows as Markdown. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(Column... columns) {
        this.columns = List.of(columns);
    }

    /** A column of words. */
    public static Column left(String title) {
        return new Column(title, false);
    }

    /** A column of numbers. */
    public static Column right(String title) {
        return new Column(title, true);
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException if it has not one cell for each column
     */
    public TextTable row(String... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(columns.size() + " columns, but " + cells.length + " cells");
        }
        rows.add(List.of(cells));
        return this;
    }

    /**
     * Columns padded to their widest cell, a rule below the titles, no trailing blanks; each line ends in a newline.
     */
    public String toText() {
        int[] widths = IntStream.range(0, columns.size()).map(this::width).toArray();
        StringBuilder text = new StringBuilder();
        text.append(line(i -> pad(i, columns.get(i).title(), widths[i])));
        text.append(line(i -> "-".repeat(widths[i])));
        for (List<String> row : rows) {
            text.append(line(i -> pad(i, row.get(i), widths[i])));
        }
        return text.toString();
    }

    /** A Markdown table; bars inside cells are escaped. */
    public String toMarkdown() {
        StringBuilder text = new StringBuilder();
        text.append(markdownLine(i -> columns.get(i).title()));
        text.append("|");
        columns.forEach(column -> text.append(column.rightAligned() ? "---:|" : "---|"));
        text.append('\n');
        rows.forEach(row -> text.append(markdownLine(row::get)));
        return text.toString();
    }

    private String line(IntFunction<String> cell) {
        String joined = IntStream.range(0, columns.size()).mapToObj(cell).collect(Collectors.joining(GAP));
        return joined.stripTrailing() + "\n";
    }

    private String markdownLine(IntFunction<String> cell) {
        return IntStream.range(0, columns.size())
                .mapToObj(i -> " " + cell.apply(i).replace("|", "\\|") + " ")
                .collect(Collectors.joining("|", "|", "|\n"));
    }

    private String pad(int column, String cell, int width) {
        String blanks = " ".repeat(width - cell.length());
        return columns.get(column).rightAligned() ? blanks + cell : cell + blanks;
    }

    private int width(int column) {
        int widest = columns.get(column).title().length();
        for (List<String> row : rows) {
            widest = Math.max(widest, row.get(column).length());
        }
        return widest;
    }

    /** Title and alignment of one column; see {@link #left} and {@link #right}. */
    public record Column(String title, boolean rightAligned) {}
}
