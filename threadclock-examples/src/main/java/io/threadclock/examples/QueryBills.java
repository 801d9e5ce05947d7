// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import io.questdb.ServerMain;
import io.questdb.cairo.CairoEngine;
import io.questdb.cutlass.http.HttpConnectionContext;
import io.questdb.cutlass.http.HttpConstants;
import io.questdb.cutlass.http.LocalValue;
import io.questdb.cutlass.http.processors.JsonQueryProcessor;
import io.questdb.cutlass.http.processors.JsonQueryProcessorConfiguration;
import io.questdb.cutlass.http.processors.JsonQueryProcessorState;
import io.questdb.network.PeerDisconnectedException;
import io.questdb.network.PeerIsSlowToReadException;
import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadsSnapshot;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * A QuestDB server that prints the bill of each query which it answers over HTTP, and cancels one that costs too much. At the
 * end of its input it compares all bills, and the time of the threads that have answered no query, with what the process has
 * used. It needs Java 17 or newer.
 *
 * <pre>java -cp threadclock-examples/target/threadclock-examples.jar io.threadclock.examples.QueryBills -d DIRECTORY</pre>
 */
@SuppressWarnings("try")
public final class QueryBills extends JsonQueryProcessor {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(2);
    /** The account of the query that a connection waits for. */
    private static final LocalValue<CpuAccount> ACCOUNT = new LocalValue<>();

    private static final LongAdder BILLED_NS = new LongAdder();
    private static final Set<Long> ANSWERING = ConcurrentHashMap.newKeySet();

    private QueryBills(JsonQueryProcessorConfiguration configuration, CairoEngine engine) {
        super(configuration, engine, 0); // no other threads help with a query
    }

    public static void main(String[] arguments) throws IOException {
        try (ServerMain server = new BillingServer(arguments, QueryBills::new)) {
            server.start();
            System.out.println("answers queries at port " + server.getHttpServerPort());
            while (System.in.read() >= 0) {} // until Ctrl-D
            compare();
        }
    }

    private static void compare() {
        long billedNs = BILLED_NS.sum();
        long answeringNs = ThreadsSnapshot.take().threads().stream()
                .filter(thread -> ANSWERING.contains(thread.threadId()))
                .mapToLong(ThreadSample::cpuTimeNs)
                .sum();
        long processNs = ThreadClock.readProcess().cpuTimeNs();
        long othersNs = processNs - answeringNs;
        // in one piece, because QuestDB writes its log between the pieces of printf()
        System.out.println(String.format(
                "all bills %,d ns + other threads %,d ns = %.1f %% of the process's %,d ns",
                billedNs, othersNs, 100.0 * (billedNs + othersNs) / processNs, processNs));
    }

    @Override
    public void onHeadersReady(HttpConnectionContext from) {
        CpuAccount account = new CpuAccount();
        account.limit(LIMIT_NS, passed -> from.getCircuitBreaker().cancel());
        ACCOUNT.set(from, account);
    }

    /** Answers a query, or tries again after a table was busy, perhaps in another thread. */
    @Override
    public void execute0(JsonQueryProcessorState query) throws PeerDisconnectedException, PeerIsSlowToReadException {
        HttpConnectionContext from = query.getHttpConnectionContext();
        ANSWERING.add(Thread.currentThread().getId());
        try (CpuAccount.Part part = ACCOUNT.get(from).enter()) {
            super.execute0(query); // throws if the query is to go on later
        }
        bill(from);
    }

    /** Goes on, perhaps in another thread, after the client has been slow to read. */
    @Override
    public void resumeSend(HttpConnectionContext from) throws PeerDisconnectedException, PeerIsSlowToReadException {
        ANSWERING.add(Thread.currentThread().getId());
        try (CpuAccount.Part part = ACCOUNT.get(from).enter()) {
            super.resumeSend(from);
        }
        bill(from);
    }

    private static void bill(HttpConnectionContext from) {
        CpuAccount account = ACCOUNT.get(from);
        account.close();
        AccountUsage bill = account.read();
        BILLED_NS.add(bill.cpuTimeNs());
        System.out.println(from.getRequestHeader().getUrlParam(HttpConstants.URL_PARAM_QUERY) + ": " + bill);
    }
}
