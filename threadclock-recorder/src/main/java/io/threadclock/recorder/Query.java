// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import io.questdb.cairo.CairoException;
import io.questdb.cairo.sql.Record;
import io.questdb.cairo.sql.RecordCursor;
import io.questdb.cairo.sql.RecordCursorFactory;
import io.questdb.griffin.SqlException;
import java.util.function.Consumer;

/** Runs a query in the calling thread. */
final class Query {
    private final QuestDbEngine engine;

    Query(QuestDbEngine engine) {
        this.engine = engine;
    }

    /** @throws StoreFailure if the database refuses it */
    void each(String sql, Consumer<Row> action) {
        try (RecordCursorFactory query = engine.cairo().select(sql, engine.context());
                RecordCursor rows = query.getCursor(engine.context())) {
            Row row = new Row(rows.getRecord());
            while (rows.hasNext()) {
                action.accept(row);
            }
        } catch (SqlException | CairoException refused) {
            throw refusal(sql, refused.getMessage());
        }
    }

    static StoreFailure refusal(String sql, String answer) {
        return new StoreFailure("running the query " + sql, answer, "Correct it; docs/record.md has the tables.");
    }

    /** The row of the cursor. */
    record Row(Record record) {
        long timestampUs(int column) {
            return record.getTimestamp(column);
        }

        long number(int column) {
            return record.getLong(column);
        }

        int small(int column) {
            return record.getInt(column);
        }

        String symbol(int column) {
            CharSequence symbol = record.getSymA(column);
            return symbol == null ? "" : symbol.toString();
        }

        String text(int column) {
            var text = record.getVarcharA(column);
            return text == null ? "" : text.toString();
        }
    }
}
