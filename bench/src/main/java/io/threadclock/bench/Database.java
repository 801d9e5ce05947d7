// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import io.questdb.cairo.CairoEngine;
import io.questdb.cairo.DefaultCairoConfiguration;
import io.questdb.cairo.security.AllowAllSecurityContext;
import io.questdb.cairo.sql.Record;
import io.questdb.cairo.sql.RecordCursor;
import io.questdb.cairo.sql.RecordCursorFactory;
import io.questdb.griffin.SqlException;
import io.questdb.griffin.SqlExecutionContextImpl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A QuestDB inside this JVM, with a table of trades. A unit of work is one SQL query of about 0.1 ms, which the calling
 * thread runs alone, so that its CPU time is the query's. Not thread-safe.
 */
final class Database implements AutoCloseable {
    /** This many queries, from any one on, are the same work. */
    static final int CYCLE = 4;

    private static final int ROWS = 60_000;
    private static final String CREATE = "create table trades as (select rnd_symbol('BTC-USD', 'ETH-USD', 'SOL-USD',"
            + " 'ADA-USD', 'XRP-USD', 'DOT-USD') symbol, rnd_symbol('buy', 'sell') side, rnd_double() * 100000 price,"
            + " rnd_double() * 100 amount, timestamp_sequence('2024-01-01', 1000) timestamp from long_sequence(" + ROWS
            + ")) timestamp(timestamp) partition by day";
    /** The second and third column of each are doubles. */
    private static final List<String> QUERIES = List.of(
            "select symbol, avg(price), sum(amount) from trades"
                    + " where timestamp in '2024-01-01T00:00:01;3s' group by symbol order by symbol",
            "select side, max(price), min(price) from trades"
                    + " where timestamp in '2024-01-01T00:00:05;6s' and symbol = 'BTC-USD' group by side",
            "select timestamp, avg(price), sum(amount) from trades"
                    + " where timestamp in '2024-01-01T00:00:12;4s' sample by 1s",
            "select symbol, price, amount from trades"
                    + " where timestamp in '2024-01-01T00:00:17;8s' order by price desc limit 10");

    private final CairoEngine engine;
    private final SqlExecutionContextImpl context;
    private final List<RecordCursorFactory> compiled = new ArrayList<>();
    private long turn;

    private Database(Path directory) throws SqlException {
        engine = new CairoEngine(new DefaultCairoConfiguration(directory.toString()) {
            @Override
            public boolean isSqlParallelFilterEnabled() {
                return false;
            }

            @Override
            public boolean isSqlParallelGroupByEnabled() {
                return false;
            }

            @Override
            public boolean isSqlParallelTopKEnabled() {
                return false;
            }
        });
        context = new SqlExecutionContextImpl(engine, 1);
        context.with(AllowAllSecurityContext.INSTANCE, null, null);
        engine.execute(CREATE, context);
        for (String query : QUERIES) {
            compiled.add(engine.select(query, context));
        }
        for (String query : QUERIES) {
            if (query() == 0) {
                throw new IllegalStateException("found no rows: " + query);
            }
        }
    }

    /** Makes one in a folder that exists, of which it is the only content. */
    static Database open(Path directory) throws IOException, SqlException {
        Path log = directory.resolve("log.conf");
        Files.write(
                log,
                List.of(
                        "writers=file",
                        "w.file.class=io.questdb.log.LogFileWriter",
                        "w.file.location=/dev/null",
                        "w.file.level=CRITICAL"));
        // QuestDB reads the path of its logging configuration from this property.
        System.setProperty("out", log.toString());
        return new Database(Files.createDirectories(directory.resolve("db")));
    }

    /** Runs the next query; returns a sum over its rows, so that nothing of it can be left out. */
    long query() throws SqlException {
        double sum = 0;
        try (RecordCursor rows = compiled.get((int) (turn++ % CYCLE)).getCursor(context)) {
            Record row = rows.getRecord();
            while (rows.hasNext()) {
                sum += row.getDouble(1) + row.getDouble(2);
            }
        }
        return Double.doubleToRawLongBits(sum);
    }

    @Override
    public void close() {
        compiled.forEach(RecordCursorFactory::close);
        context.close();
        engine.close();
    }
}
