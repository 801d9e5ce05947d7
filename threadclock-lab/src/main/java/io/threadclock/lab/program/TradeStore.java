// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.questdb.ServerMain;
import io.questdb.cairo.CairoEngine;
import io.questdb.cairo.security.AllowAllSecurityContext;
import io.questdb.griffin.SqlException;
import io.questdb.griffin.SqlExecutionContextImpl;
import io.threadclock.lab.program.TradeClient.LineProtocolConnection;
import io.threadclock.lab.program.TradeClient.TradeFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A QuestDB server inside this JVM, with everything in one directory, reachable over HTTP at a free port of the
 * loopback interface only.
 */
public final class TradeStore implements AutoCloseable {
    private static final List<String> SERVER_CONF = List.of(
            "http.bind.to=127.0.0.1:0",
            "http.min.enabled=false",
            "pg.enabled=false",
            "line.tcp.enabled=false",
            "line.udp.enabled=false",
            "telemetry.enabled=false",
            "telemetry.disable.completely=true",
            "config.reload.enabled=false",
            "cairo.mat.view.enabled=false",
            "http.worker.count=1",
            "shared.worker.count=1",
            "wal.apply.worker.count=1",
            // The thread that asks runs its query, so that its CPU time is the query's.
            "cairo.sql.parallel.filter.enabled=false",
            "cairo.sql.parallel.groupby.enabled=false",
            "cairo.sql.parallel.topk.enabled=false",
            "log.sql.query.progress.exe=false");
    /** QuestDB reads the path of its logging configuration from this property. */
    private static final String LOG_CONF_PROPERTY = "out";

    private static final int ROWS_PER_POST = 2000;
    /** The history is from 2024. */
    private static final String DROP_NEW_TRADES =
            "alter table " + TradeFeed.TABLE + " drop partition where timestamp > '2025-01-01'";

    private final ServerMain server;

    private TradeStore(ServerMain server) {
        this.server = server;
    }

    /** Starts a server whose data, configuration and log are below {@code root}. */
    public static TradeStore start(Path root) throws IOException {
        Path conf = Files.createDirectories(root.resolve("conf"));
        Files.write(conf.resolve("server.conf"), SERVER_CONF);
        Path logConf = conf.resolve("log.conf");
        Files.write(logConf, logConf(root.resolve("questdb.log")));
        System.setProperty(LOG_CONF_PROPERTY, logConf.toString());
        ServerMain server = ServerMain.create(root.toString());
        server.start();
        server.awaitStartup();
        return new TradeStore(server);
    }

    private static List<String> logConf(Path log) {
        return List.of(
                "writers=file",
                "w.file.class=io.questdb.log.LogFileWriter",
                "w.file.location=" + log,
                "w.file.level=ERROR,CRITICAL");
    }

    int httpPort() {
        return server.getHttpServerPort();
    }

    CairoEngine engine() {
        return server.getEngine();
    }

    /** Ingests the first {@code rows} trades of history, and waits until they can be queried. */
    public void ingestHistory(int rows) throws IOException {
        TradeFeed feed = new TradeFeed(0);
        try (LineProtocolConnection connection = new LineProtocolConnection(httpPort())) {
            for (int row = 0; row < rows; row += ROWS_PER_POST) {
                connection.post(feed.history(row, Math.min(ROWS_PER_POST, rows - row)));
            }
        }
        server.awaitTable(TradeFeed.TABLE);
    }

    /** Drops the trades that were ingested live; the history stays. */
    public void dropNewTrades() throws SqlException {
        try (SqlExecutionContextImpl context = new SqlExecutionContextImpl(engine(), 1)) {
            context.with(AllowAllSecurityContext.INSTANCE, null, null);
            engine().execute(DROP_NEW_TRADES, context);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
