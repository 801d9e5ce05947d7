// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import java.util.ArrayList;
import java.util.List;

/** A table whose first column names its rows. It scrolls in a box of its own where it is wider than the page. */
final class PageTable {
    /** Columns of a table of which three stand beside one another on a desk's screen. */
    private static final int NARROW = 5;
    /** Of which two do. */
    private static final int ROOMY = 7;

    private final String caption;
    private final List<Column> columns;
    private final List<Row> rows = new ArrayList<>();

    PageTable(String caption, List<Column> columns) {
        this.caption = caption;
        this.columns = List.copyOf(columns);
    }

    /** Words. */
    static Column words(String title) {
        return new Column(title, "words");
    }

    /** Numbers by which a reader decides. */
    static Column amount(String title) {
        return new Column(title, "amount");
    }

    /** Numbers that say how far to trust those before them. */
    static Column range(String title) {
        return new Column(title, "range");
    }

    /** What the rows from here on have in common. */
    void group(String title) {
        rows.add(new Row(true, List.of(title)));
    }

    /** @throws IllegalArgumentException if it has not one cell for each column */
    void row(List<String> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(columns.size() + " columns, but " + cells.size() + " cells");
        }
        rows.add(new Row(false, List.copyOf(cells)));
    }

    int size() {
        return rows.size();
    }

    /** Beside one another as far as there is room, by what the widest takes. */
    static void writeSideBySide(Html html, List<PageTable> tables) {
        int widest = tables.stream().mapToInt(table -> table.columns.size()).max().orElse(0);
        String room = widest <= NARROW ? "" : widest <= ROOMY ? " roomy" : " wide";
        html.open("div", "class", "tables" + room);
        tables.forEach(table -> table.write(html));
        html.close("div");
    }

    void write(Html html) {
        // The caption stays where it is when the table is scrolled: by the keyboard as well, so that takes the focus.
        html.open("figure", "class", "table").element("figcaption", caption);
        html.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", caption);
        html.open("table", "aria-label", caption);
        html.open("thead").open("tr");
        columns.forEach(column -> html.element("th", column.title(), "scope", "col", "class", column.kind()));
        html.close("tr").close("thead").open("tbody");
        rows.forEach(row -> writeRow(html, row));
        html.close("tbody").close("table").close("div").close("figure");
    }

    private void writeRow(Html html, Row row) {
        if (row.isGroup()) {
            html.close("tbody").open("tbody").open("tr", "class", "group");
            String span = Integer.toString(columns.size());
            html.element("th", row.cells().get(0), "scope", "rowgroup", "colspan", span)
                    .close("tr");
            return;
        }
        html.open("tr").element("th", row.cells().get(0), "scope", "row");
        for (int i = 1; i < columns.size(); i++) {
            html.element("td", row.cells().get(i), "class", columns.get(i).kind());
        }
        html.close("tr");
    }

    /** @param kind its class in the style sheet */
    record Column(String title, String kind) {}

    private record Row(boolean isGroup, List<String> cells) {}
}
