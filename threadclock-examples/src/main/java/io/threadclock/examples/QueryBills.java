// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import io.questdb.ServerConfiguration;
import io.questdb.ServerMain;
import io.questdb.cairo.CairoEngine;
import io.questdb.cutlass.Services;
import io.questdb.cutlass.http.HttpConnectionContext;
import io.questdb.cutlass.http.HttpFullFatServerConfiguration;
import io.questdb.cutlass.http.HttpServer;
import io.questdb.cutlass.http.LocalValue;
import io.questdb.cutlass.http.processors.JsonQueryProcessor;
import io.questdb.cutlass.http.processors.JsonQueryProcessorConfiguration;
import io.questdb.cutlass.http.processors.LineHttpProcessorImpl;
import io.questdb.cutlass.http.processors.SqlValidationProcessor;
import io.questdb.mp.WorkerPool;
import io.questdb.network.PeerDisconnectedException;
import io.questdb.network.PeerIsSlowToReadException;
import io.questdb.std.str.Utf8String;
import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import io.threadclock.ThreadClock;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * A QuestDB server that prints the bill of each query which it answers over HTTP, and cancels one that costs too much. At each
 * line of its input it compares all bills since the line before with what the process has used. It needs Java 17 or newer.
 *
 * <pre>java -cp threadclock-examples/target/threadclock-examples.jar io.threadclock.examples.QueryBills -d DIRECTORY</pre>
 */
public final class QueryBills extends JsonQueryProcessor {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final Utf8String QUERY = new Utf8String("query");
    /** The account of the query that a connection waits for. */
    private static final LocalValue<CpuAccount> ACCOUNTS = new LocalValue<>();

    private static final LongAdder BILLED_NS = new LongAdder();

    private QueryBills(JsonQueryProcessorConfiguration configuration, CairoEngine engine) {
        super(configuration, engine, 0); // no other threads help with a query
    }

    public static void main(String[] arguments) throws IOException {
        try (ServerMain server = new BillingServer(arguments)) {
            server.start();
            System.out.println("answers queries at port " + server.getHttpServerPort());
            long beginNs = ThreadClock.readProcess().cpuTimeNs();
            while (System.in.read() >= 0) {
                long billedNs = BILLED_NS.sumThenReset();
                long usedNs = ThreadClock.readProcess().cpuTimeNs() - beginNs;
                // in one piece, because QuestDB writes its log between the pieces of printf()
                System.out.println(
                        String.format("all bills %,d ns + not of a query %,d ns", billedNs, usedNs - billedNs));
                beginNs += usedNs;
            }
        }
    }

    @Override
    public void onRequestComplete(HttpConnectionContext from)
            throws PeerDisconnectedException, PeerIsSlowToReadException {
        CpuAccount account = new CpuAccount();
        account.limit(LIMIT_NS, passed -> from.getCircuitBreaker().cancel());
        ACCOUNTS.set(from, account);
        bill(from, super::onRequestComplete);
    }

    /** Goes on, perhaps in another thread, after the client has been slow to read. */
    @Override
    public void resumeSend(HttpConnectionContext from) throws PeerDisconnectedException, PeerIsSlowToReadException {
        bill(from, super::resumeSend);
    }

    /** Goes on, perhaps in another thread, after a table was busy. */
    @Override
    public void onRequestRetry(HttpConnectionContext from) throws PeerDisconnectedException, PeerIsSlowToReadException {
        bill(from, super::onRequestRetry);
    }

    @SuppressWarnings("try")
    private static void bill(HttpConnectionContext from, Step step)
            throws PeerDisconnectedException, PeerIsSlowToReadException {
        String query = String.valueOf(from.getRequestHeader().getUrlParam(QUERY));
        CpuAccount account = ACCOUNTS.get(from);
        try (CpuAccount.Part part = account.enter()) {
            step.take(from); // throws if the query is to go on later
        }
        AccountUsage bill = account.read();
        BILLED_NS.add(bill.cpuTimeNs());
        System.out.println(query + ": " + bill);
    }

    private interface Step {
        void take(HttpConnectionContext from) throws PeerDisconnectedException, PeerIsSlowToReadException;
    }

    /** QuestDB's own server, but for what answers queries. */
    private static final class BillingServer extends ServerMain {
        BillingServer(String... arguments) {
            super(arguments);
        }

        @Override
        protected Services services() {
            return new Services() {
                @Override
                public HttpServer createHttpServer(
                        ServerConfiguration all, CairoEngine engine, WorkerPool pool, int helpers) {
                    HttpFullFatServerConfiguration http = all.getHttpServerConfiguration();
                    JsonQueryProcessorConfiguration json = http.getJsonQueryProcessorConfiguration();
                    HttpServer server =
                            new HttpServer(http, pool, http.getFactoryProvider().getHttpSocketFactory());
                    HttpServer.addDefaultEndpoints(
                            server,
                            all,
                            engine,
                            helpers,
                            () -> new QueryBills(json, engine),
                            () -> new SqlValidationProcessor(json, engine, helpers),
                            () -> new LineHttpProcessorImpl(engine, http));
                    return server;
                }
            };
        }
    }
}
