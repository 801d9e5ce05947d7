// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.threadclock.AccountUsage;
import io.threadclock.CostsByKey;
import io.threadclock.CpuAccount;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Tells where the time of requests goes in a small server under load: how long they ran in the program's own code and
 * in the kernel, wanted to run and had no CPU, or did not want to run. Each line is the sum of all requests of one
 * kind.
 *
 * <pre>java -cp examples/target/threadclock-examples.jar io.threadclock.examples.RequestBills</pre>
 */
public final class RequestBills {
    private static final int THREADS = 4;
    private static final int ROUNDS = 20;
    /** The requests of these rounds are not counted: in them the JVM loads classes, and compiles. */
    private static final int FIRST_ROUNDS = 8;

    private static final int NUMBERS = 300_000;
    private static final int FILE_BYTES = 16 << 20;
    private static final int PASSES = 4;
    private static final int BLOCK_BYTES = 1 << 16;
    private static final long WAIT_MS = 30;

    private final Map<String, ExecutorService> pools = new TreeMap<>();
    private volatile CostsByKey<String> bills = new CostsByKey<>(0);
    private final HttpServer server;

    private RequestBills() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    public static void main(String[] arguments) throws Exception {
        Path file = Files.createTempFile("threadclock-example", ".bytes");
        try {
            Files.write(file, new byte[FILE_BYTES]);
            run(file);
        } finally {
            Files.delete(file);
        }
    }

    private static void run(Path file) throws Exception {
        RequestBills measured = new RequestBills();
        measured.serve("/sort", RequestBills::sort);
        measured.serve("/read", () -> read(file));
        measured.serve("/ask", () -> Thread.sleep(WAIT_MS)); // as for the answer of another server
        measured.runUnderLoad();
        measured.bills.read().keys().forEach(RequestBills::print);
    }

    private static void sort() {
        Arrays.sort(new Random(1).longs(NUMBERS).toArray());
    }

    private static void read(Path file) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
        for (int i = 0; i < PASSES; i++) {
            try (FileChannel channel = FileChannel.open(file)) {
                while (channel.read(block) > 0) {
                    block.clear();
                }
            }
        }
    }

    /** Each kind of request has threads of its own. */
    private void serve(String path, Work work) {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        pools.put(path, pool);
        server.createContext(path, exchange -> pool.submit(() -> handle(path, exchange, work)));
    }

    @SuppressWarnings("try")
    private Void handle(String path, HttpExchange exchange, Work work) throws Exception {
        try (CpuAccount.Part part = bills.enter(path)) {
            work.run();
            exchange.sendResponseHeaders(200, -1);
        }
        exchange.close();
        return null;
    }

    /** As many clients as there are threads of each kind, in this process. */
    private void runUnderLoad() throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(pools.size() * THREADS);
        server.start();
        try {
            ask(clients, FIRST_ROUNDS);
            bills = new CostsByKey<>(pools.size());
            ask(clients, ROUNDS);
        } finally {
            server.stop(0);
            clients.shutdown();
            for (ExecutorService pool : pools.values()) {
                pool.shutdown();
                pool.awaitTermination(1, TimeUnit.MINUTES); // a part ends after the answer
            }
        }
    }

    private void ask(ExecutorService clients, int rounds) throws Exception {
        List<Callable<Void>> all = new ArrayList<>();
        for (int i = 0; i < rounds * THREADS; i++) {
            all.addAll(pools.keySet().stream().map(this::client).collect(Collectors.toList()));
        }
        for (Future<Void> asked : clients.invokeAll(all)) {
            asked.get();
        }
    }

    private Callable<Void> client(String path) {
        return () -> {
            int port = server.getAddress().getPort();
            new URL("http", InetAddress.getLoopbackAddress().getHostAddress(), port, path)
                    .openStream()
                    .close();
            return null;
        };
    }

    private static void print(Map.Entry<String, AccountUsage> bill) {
        AccountUsage usage = bill.getValue();
        boolean isKnown = usage.partsOfUnknownWaits() == 0;
        System.out.printf(
                "%s: %d requests, user %d ns + system %d ns + run delay %s + not running %s = wall %d ns%n",
                bill.getKey(),
                usage.parts(),
                usage.userTimeNs(),
                usage.systemTimeNs(),
                isKnown ? usage.runDelayNs() + " ns" : "unknown",
                isKnown ? usage.notRunningNs() + " ns" : "unknown",
                usage.wallTimeNs());
    }

    private interface Work {
        void run() throws Exception;
    }
}
