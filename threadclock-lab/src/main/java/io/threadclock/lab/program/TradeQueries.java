// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.questdb.cairo.CairoEngine;
import io.questdb.cairo.ColumnType;
import io.questdb.cairo.security.AllowAllSecurityContext;
import io.questdb.cairo.sql.Record;
import io.questdb.cairo.sql.RecordCursor;
import io.questdb.cairo.sql.RecordCursorFactory;
import io.questdb.cairo.sql.RecordMetadata;
import io.questdb.griffin.SqlException;
import io.questdb.griffin.SqlExecutionContextImpl;
import java.util.ArrayList;
import java.util.List;

/**
 * The SQL of one worker, compiled once and run in the calling thread. Every query looks at a fixed span of the history
 * ingested before, so that it costs the same however much has been ingested since.
 */
final class TradeQueries implements AutoCloseable {
    private static final List<String> SQL = List.of(
            "select symbol, avg(price), sum(amount) from trades"
                    + " where timestamp in '2024-01-01T00:00:01;3s' group by symbol order by symbol",
            "select side, max(price), min(price) from trades"
                    + " where timestamp in '2024-01-01T00:00:05;6s' and symbol = 'BTC-USD' group by side",
            "select timestamp, avg(price), count() from trades"
                    + " where timestamp in '2024-01-01T00:00:12;4s' sample by 1s",
            "select * from trades where timestamp in '2024-01-01T00:00:17;8s' order by price desc limit 10");

    private final SqlExecutionContextImpl context;
    private final List<RecordCursorFactory> compiled = new ArrayList<>();

    TradeQueries(CairoEngine engine) throws SqlException {
        context = new SqlExecutionContextImpl(engine, 1);
        context.with(AllowAllSecurityContext.INSTANCE, null, null);
        for (String sql : SQL) {
            compiled.add(engine.select(sql, context));
        }
        for (int turn = 0; turn < SQL.size(); turn++) {
            if (run(turn) == 0) {
                throw new IllegalStateException("found no rows: " + SQL.get(turn));
            }
        }
    }

    /**
     * Runs the query whose turn it is and looks at every column of every row.
     *
     * @return a sum over all columns, so that nothing of it can be left out
     */
    double run(long turn) throws SqlException {
        RecordCursorFactory query = compiled.get((int) (turn % compiled.size()));
        RecordMetadata columns = query.getMetadata();
        double sum = 0;
        try (RecordCursor rows = query.getCursor(context)) {
            Record row = rows.getRecord();
            while (rows.hasNext()) {
                sum += sum(row, columns);
            }
        }
        return sum;
    }

    private static double sum(Record row, RecordMetadata columns) {
        double sum = 0;
        for (int i = 0; i < columns.getColumnCount(); i++) {
            sum += switch (ColumnType.tagOf(columns.getColumnType(i))) {
                case ColumnType.DOUBLE -> row.getDouble(i);
                case ColumnType.LONG -> row.getLong(i);
                case ColumnType.TIMESTAMP -> row.getTimestamp(i);
                case ColumnType.SYMBOL -> row.getSymA(i).length();
                default -> throw new IllegalStateException("column of unexpected type: " + columns.getColumnName(i));
            };
        }
        return sum;
    }

    @Override
    public void close() {
        compiled.forEach(RecordCursorFactory::close);
        context.close();
    }
}
