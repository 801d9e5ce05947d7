// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.questdb.cairo.CairoException;
import io.questdb.cairo.ColumnType;
import io.questdb.cairo.sql.Record;
import io.questdb.cairo.sql.RecordCursor;
import io.questdb.cairo.sql.RecordCursorFactory;
import io.questdb.cairo.sql.RecordMetadata;
import io.questdb.griffin.SqlException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The database's answer to a query, for programs: CSV with a line of headings, or one JSON object per line. */
public final class QueryOutput {
    private final QuestDbEngine engine;
    private final String sql;
    private final boolean json;
    private final ObjectMapper mapper = new ObjectMapper();

    public QueryOutput(RecordingReader reading, String sql, boolean json) {
        this.engine = reading.engine();
        this.sql = sql;
        this.json = json;
    }

    /**
     * Passes the answer on line by line. A cell is as it was recorded, whatever it contains; the printer makes it safe
     * for a terminal.
     *
     * @throws StoreFailure if the database refuses the query
     */
    public void print(Consumer<String> out) {
        try (RecordCursorFactory query = engine.cairo().select(sql, engine.context())) {
            if (query == null) {
                throw QuestDbEngine.refusal(sql, "it returns no rows; nothing was changed");
            }
            print(query, out);
        } catch (SqlException | CairoException refused) {
            throw QuestDbEngine.refusal(sql, refused.getMessage());
        }
    }

    private void print(RecordCursorFactory query, Consumer<String> out) throws SqlException {
        RecordMetadata columns = query.getMetadata();
        try (RecordCursor rows = query.getCursor(engine.context())) {
            if (!json) {
                out.accept(headings(columns));
            }
            Record row = rows.getRecord();
            while (rows.hasNext()) {
                out.accept(json ? object(row, columns) : line(row, columns));
            }
        }
    }

    private static String headings(RecordMetadata columns) {
        return csv(columns, i -> quoted(columns.getColumnName(i)));
    }

    private static String line(Record row, RecordMetadata columns) {
        return csv(columns, i -> {
            Object cell = cell(row, i, columns.getColumnType(i));
            return cell == null || cell instanceof Number
                    ? Objects.toString(cell, "")
                    : quoted(withoutFormula(cell.toString()));
        });
    }

    private static String csv(RecordMetadata columns, IntFunction<String> cell) {
        return IntStream.range(0, columns.getColumnCount()).mapToObj(cell).collect(Collectors.joining(","));
    }

    /** A spreadsheet takes a text that begins like this for a formula, whoever has written it. */
    private static String withoutFormula(String text) {
        return text.matches("(?s)[=+@\\t\\r-].*") ? "'" + text : text;
    }

    /** Semicolons are quoted, too, because in many languages they separate the cells of spreadsheets. */
    private static String quoted(String text) {
        return text.matches("(?s).*[\",;\\r\\n].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    private String object(Record row, RecordMetadata columns) {
        ObjectNode node = mapper.createObjectNode();
        for (int i = 0; i < columns.getColumnCount(); i++) {
            node.set(columns.getColumnName(i), mapper.valueToTree(cell(row, i, columns.getColumnType(i))));
        }
        return node.toString();
    }

    /** Null stays null. */
    private static Object cell(Record row, int i, int type) {
        return switch (ColumnType.tagOf(type)) {
            case ColumnType.LONG -> row.getLong(i) == Long.MIN_VALUE ? null : (Object) row.getLong(i);
            case ColumnType.INT -> row.getInt(i) == Integer.MIN_VALUE ? null : (Object) row.getInt(i);
            case ColumnType.SHORT -> row.getShort(i);
            case ColumnType.BYTE -> row.getByte(i);
            case ColumnType.DOUBLE -> Double.isNaN(row.getDouble(i)) ? null : (Object) row.getDouble(i);
            case ColumnType.FLOAT -> Float.isNaN(row.getFloat(i)) ? null : (Object) row.getFloat(i);
            case ColumnType.BOOLEAN -> row.getBool(i);
            case ColumnType.CHAR -> String.valueOf(row.getChar(i));
            case ColumnType.SYMBOL -> text(row.getSymA(i));
            case ColumnType.STRING -> text(row.getStrA(i));
            case ColumnType.VARCHAR -> text(row.getVarcharA(i));
            case ColumnType.TIMESTAMP ->
                row.getTimestamp(i) == Long.MIN_VALUE
                        ? null
                        : Instant.EPOCH
                                .plus(row.getTimestamp(i), ChronoUnit.MICROS)
                                .toString();
            default -> "a value of type " + ColumnType.nameOf(type);
        };
    }

    private static String text(Object text) {
        return text == null ? null : text.toString();
    }
}
