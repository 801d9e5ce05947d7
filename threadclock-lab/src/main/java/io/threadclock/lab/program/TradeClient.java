// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.questdb.griffin.SqlException;
import java.io.IOException;

/**
 * Does units of work, in the calling thread. A unit is one SQL query over the ingested rows or, every eighth time, one
 * batch of rows posted to the server.
 */
public final class TradeClient implements AutoCloseable {
    /** So many units, from a multiple of it on, are the same work each time: a batch, and then queries. */
    public static final int CYCLE = 8;

    private static final int ROWS_PER_BATCH = 20;

    private final TradeQueries queries;
    private final LineProtocolConnection connection;
    private final TradeFeed feed;

    /** @param seed for the batches: the same rows for the same one */
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
}
