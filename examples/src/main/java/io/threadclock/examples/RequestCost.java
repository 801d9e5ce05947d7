// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.threadclock.CpuStopwatch;
import io.threadclock.VirtualThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Tells what a request costs, by a stopwatch around the handler: a request that waits takes long and costs next to
 * nothing; a request that works costs about as much time as it takes. From Java 21 on, each request has a virtual
 * thread.
 *
 * <pre>java -cp examples/target/threadclock-examples.jar io.threadclock.examples.RequestCost</pre>
 */
public final class RequestCost extends Filter {
    private static final String[] PATHS = {"/sort", "/wait", "/sort", "/wait"};
    private static final int NUMBERS = 300_000;
    private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /**
     * One per thread that handles requests. A platform thread keeps it, because a new one each time would cost more
     * than it measures. That of a virtual thread is an ordinary object.
     */
    private final ThreadLocal<CpuStopwatch> watches = ThreadLocal.withInitial(CpuStopwatch::new);

    private RequestCost() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ExecutorService threads =
                VirtualThreads.areMeasurable() ? VirtualThreads.executor() : Executors.newSingleThreadExecutor();
        server.setExecutor(threads);
        serve(
                server,
                "/sort",
                exchange -> Arrays.sort(new Random(1).longs(NUMBERS).toArray()));
        serve(server, "/wait", exchange -> waitFor(WAIT_NS));
        server.start();
        try {
            for (String path : PATHS) {
                new URL("http", "localhost", server.getAddress().getPort(), path)
                        .openStream()
                        .close();
            }
        } finally {
            server.stop(0);
            threads.shutdown();
            threads.awaitTermination(1, TimeUnit.MINUTES); // they print after their answers
        }
    }

    @Override
    public void doFilter(HttpExchange exchange, Chain next) throws IOException {
        CpuStopwatch watch = watches.get();
        long beginNs = System.nanoTime();
        watch.start();
        try {
            next.doFilter(exchange);
        } finally {
            watch.stop();
        }
        long wallNs = System.nanoTime() - beginNs;
        System.out.printf(
                "%s took %,d ns and cost %,d ns of CPU time: user %,d ns, system %,d ns; in %s%n",
                exchange.getRequestURI(),
                wallNs,
                watch.cpuTimeNs(),
                watch.userTimeNs(),
                watch.systemTimeNs(),
                Thread.currentThread().getClass().getSimpleName());
        exchange.close();
    }

    @Override
    public String description() {
        return "says what each request costs";
    }

    /** A park may end early: what has run in the thread before may have left it a permit. */
    private static void waitFor(long ns) {
        long beginNs = System.nanoTime();
        for (long leftNs = ns; leftNs > 0; leftNs = ns - (System.nanoTime() - beginNs)) {
            LockSupport.parkNanos(leftNs);
        }
    }

    private static void serve(HttpServer server, String path, HttpHandler work) {
        server.createContext(path, exchange -> {
                    work.handle(exchange);
                    exchange.sendResponseHeaders(200, -1);
                })
                .getFilters()
                .add(new RequestCost());
    }
}
