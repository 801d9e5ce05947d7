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
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Does units of work, in the calling thread. A unit is one SQL query over the ingested rows or, every eighth time, one
 * batch of rows posted to the server.
 */
public final class TradeClient implements AutoCloseable {
    /** This many units, from a multiple of it on, are the same work each time: a batch, and then queries. */
    public static final int CYCLE = 8;

    private static final int ROWS_PER_BATCH = 20;

    private final TradeQueries queries;
    private final LineProtocolConnection connection;
    private final TradeFeed feed;

    /** @param seed for the batches; the same seed gives the same rows */
    public TradeClient(TradeStore store, long seed) throws SqlException, IOException {
        queries = new TradeQueries(store.engine());
        connection = new LineProtocolConnection(store.httpPort());
        feed = new TradeFeed(seed);
    }

    /** Does one unit; returns what the query found, or 0 for a batch. */
    public double work(long turn) throws SqlException, IOException {
        if (turn % CYCLE == 0) {
            ingest();
            return 0;
        }
        return query(turn);
    }

    /** Posts a batch and waits until the server has taken it. */
    public void ingest() throws IOException {
        connection.post(feed.live(ROWS_PER_BATCH));
    }

    /** Runs the query whose turn it is; returns what it found. */
    public double query(long turn) throws SqlException {
        return queries.run(turn);
    }

    @Override
    public void close() throws IOException {
        queries.close();
        connection.close();
    }

    /**
     * One kept-alive HTTP connection that posts batches of rows to {@code /write}. It blocks and works in the calling
     * thread alone, so that the thread's CPU time is all that the client side of a batch costs.
     */
    static final class LineProtocolConnection implements AutoCloseable {
        private static final String ACCEPTED = "HTTP/1.1 204";
        /** Far above any batch; without it a stuck server would hold the demo for ever. */
        private static final int READ_TIMEOUT_MS = 30_000;

        private final Socket socket;
        private final OutputStream out;
        private final InputStream in;

        LineProtocolConnection(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(READ_TIMEOUT_MS);
            out = socket.getOutputStream();
            in = new BufferedInputStream(socket.getInputStream());
        }

        /**
         * Posts the lines and waits for the server's acknowledgement.
         *
         * @throws IOException if the server does not take them
         */
        void post(String lines) throws IOException {
            byte[] body = lines.getBytes(StandardCharsets.UTF_8);
            String head = "POST /write?precision=n HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length
                    + "\r\n\r\n";
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(body);
            out.flush();
            String answer = readHead();
            if (!answer.startsWith(ACCEPTED)) {
                throw new IOException("QuestDB did not take the rows: "
                        + answer.lines().findFirst().orElse(""));
            }
        }

        private String readHead() throws IOException {
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
                int next = in.read();
                if (next < 0) {
                    throw new EOFException("QuestDB closed the connection after: " + head);
                }
                head.append((char) next);
            }
            return head.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** Trades as lines of QuestDB's line protocol, the same ones for the same seed. */
    static final class TradeFeed {
        static final String TABLE = "trades";
        /** 2024-01-01T00:00:00Z. The queries look at trades after this moment. */
        static final long HISTORY_BEGIN_NS = 1_704_067_200_000_000_000L;

        static final long HISTORY_STEP_NS = 1_000_000L;

        private static final String[] SYMBOLS = {"BTC-USD", "ETH-USD", "SOL-USD", "ADA-USD", "XRP-USD", "DOT-USD"};
        private static final int APPROXIMATE_LINE_LENGTH = 80;

        private final SplittableRandom random;

        TradeFeed(long seed) {
            this.random = new SplittableRandom(seed);
        }

        /** Trades one step apart, the first of them {@code firstRow} steps after the begin of history. */
        String history(int firstRow, int rows) {
            StringBuilder lines = new StringBuilder(rows * APPROXIMATE_LINE_LENGTH);
            for (int row = firstRow; row < firstRow + rows; row++) {
                appendTrade(lines);
                lines.append(' ')
                        .append(HISTORY_BEGIN_NS + row * HISTORY_STEP_NS)
                        .append('\n');
            }
            return lines.toString();
        }

        /** Trades of this moment: the server stamps them when they arrive. */
        String live(int rows) {
            StringBuilder lines = new StringBuilder(rows * APPROXIMATE_LINE_LENGTH);
            for (int row = 0; row < rows; row++) {
                appendTrade(lines);
                lines.append('\n');
            }
            return lines.toString();
        }

        private void appendTrade(StringBuilder lines) {
            lines.append(TABLE)
                    .append(",symbol=")
                    .append(SYMBOLS[random.nextInt(SYMBOLS.length)])
                    .append(",side=")
                    .append(random.nextBoolean() ? "buy" : "sell")
                    .append(" price=")
                    .append(random.nextInt(10_000_000) / 100.0)
                    .append(",amount=")
                    .append(random.nextInt(100_000) / 1000.0);
        }
    }

    /**
     * The SQL of one worker, compiled once and run in the calling thread. Every query looks at a fixed span of the history
     * ingested before, so that it costs the same however much has been ingested since.
     */
    static final class TradeQueries implements AutoCloseable {
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
                    default ->
                        throw new IllegalStateException("column of unexpected type: " + columns.getColumnName(i));
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
}
