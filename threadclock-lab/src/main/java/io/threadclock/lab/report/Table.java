// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The description of a table: title, columns, rows and notes. It is rendered as text for a terminal, and as Markdown for
 * documents and the page.
 */
public final class Table {
    private static final String GAP = "  ";

    private final String title;
    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** @param isNumber whether the column is aligned to the right */
    public record Column(String title, boolean isNumber) {}

    /** @param title may be empty */
    public Table(String title, List<Column> columns) {
        this.title = title;
        this.columns = List.copyOf(columns);
    }

    public Table(String title, Column... columns) {
        this(title, List.of(columns));
    }

    public static Column words(String title) {
        return new Column(title, false);
    }

    public static Column number(String title) {
        return new Column(title, true);
    }

    /** A column of words that names the rows, and one of numbers for each of the titles. */
    public static List<Column> columns(String names, List<String> numbers) {
        List<Column> columns = new ArrayList<>(List.of(words(names)));
        numbers.forEach(each -> columns.add(number(each)));
        return columns;
    }

    public Table row(String... cells) {
        return row(List.of(cells));
    }

    /** @throws IllegalArgumentException if it has not one cell for each column */
    public Table row(List<String> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(columns.size() + " columns, but " + cells.size() + " cells");
        }
        rows.add(List.copyOf(cells));
        return this;
    }

    public Table note(String note) {
        notes.add(note);
        return this;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** The rows that are chosen, without the notes. */
    public Table only(Predicate<List<String>> chosen) {
        Table table = new Table(title, columns);
        rows.stream().filter(chosen).forEach(table::row);
        return table;
    }

    /** Columns padded to their widest cell, a rule below the titles, no trailing blanks. */
    public String toText() {
        int[] widths = IntStream.range(0, columns.size()).map(this::width).toArray();
        StringBuilder text = new StringBuilder(title.isEmpty() ? "" : title + "\n\n");
        text.append(line(i -> pad(i, columns.get(i).title(), widths[i])));
        text.append(line(i -> "-".repeat(widths[i])));
        rows.forEach(row -> text.append(line(i -> pad(i, row.get(i), widths[i]))));
        return text.append(bullets()).append('\n').toString();
    }

    /** Bars inside cells are escaped. */
    public String toMarkdown() {
        StringBuilder text = new StringBuilder(title.isEmpty() ? "" : "**" + title + "**\n\n");
        text.append(markdownLine(i -> columns.get(i).title())).append('|');
        columns.forEach(column -> text.append(column.isNumber() ? "---:|" : "---|"));
        text.append('\n');
        rows.forEach(row -> text.append(markdownLine(row::get)));
        return text.append('\n')
                .append(bullets())
                .append(notes.isEmpty() ? "" : "\n")
                .toString();
    }

    private String bullets() {
        return notes.stream().map(note -> "- " + note + "\n").collect(Collectors.joining());
    }

    private String line(IntFunction<String> cell) {
        return IntStream.range(0, columns.size())
                        .mapToObj(cell)
                        .collect(Collectors.joining(GAP))
                        .stripTrailing() + "\n";
    }

    private String markdownLine(IntFunction<String> cell) {
        return IntStream.range(0, columns.size())
                .mapToObj(i -> " " + cell.apply(i).replace("|", "\\|") + " ")
                .collect(Collectors.joining("|", "|", "|\n"));
    }

    private String pad(int column, String cell, int width) {
        String blanks = " ".repeat(width - cell.length());
        return columns.get(column).isNumber() ? blanks + cell : cell + blanks;
    }

    private int width(int column) {
        int widest = columns.get(column).title().length();
        for (List<String> row : rows) {
            widest = Math.max(widest, row.get(column).length());
        }
        return widest;
    }
}
