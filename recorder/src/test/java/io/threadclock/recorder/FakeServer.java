// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A server that answers as it is told to, and keeps what it accepts. Before it is started, it refuses connections. */
final class FakeServer implements AutoCloseable {
    static {
        // Otherwise the end of each answer waits 40 ms for the client's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    static final int TAKEN = 204;
    /** In place of a status: it never answers. */
    static final int NEVER = 0;
    /** In place of a status: it begins an answer, and never ends it. */
    static final int NEVER_WHOLE = 1;

    final AtomicInteger asked = new AtomicInteger();
    /** How often it was asked for a table or a view, and agreed. */
    final AtomicInteger tables = new AtomicInteger();

    private final StringBuffer received = new StringBuffer();
    /**
     * Bound, and never listening: the kernel refuses connections, and gives the port to nobody else before the start.
     */
    private final Socket place = new Socket();

    private final int port;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private int tablesAnswer = 200;
    private HttpServer server;

    FakeServer() {
        try {
            place.setReuseAddress(true);
            place.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        port = place.getLocalPort();
    }

    /** @param answers the status of the answer to a request to write */
    void start(Function<HttpExchange, Integer> answers) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        server.setExecutor(threads);
        server.createContext("/exec", exchange -> {
            tables.addAndGet(tablesAnswer == 200 ? 1 : 0);
            answer(exchange, tablesAnswer);
        });
        server.createContext("/write", exchange -> {
            String lines = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            asked.incrementAndGet();
            int status = answers.apply(exchange);
            if (status == TAKEN) {
                received.append(lines);
            }
            answer(exchange, status);
        });
        server.start();
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        if (status == NEVER_WHOLE) {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
        } else if (status != NEVER) {
            byte[] body = status < 400 || status >= 500
                    ? new byte[0]
                    : "{\"message\":\"not of this kind\"}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        }
    }

    /** Sets the answer to requests for tables. */
    void tablesAnswer(int status) {
        tablesAnswer = status;
    }

    ServerAddress address(String more) {
        return ServerAddress.parse("http::addr=127.0.0.1:" + port + ";auto_flush_interval=1;" + more, Map.of());
    }

    String received() {
        return received.toString();
    }

    /** The number of lines of this table that it has accepted. */
    long lines(TableSchema<?> table) {
        return received()
                .lines()
                .filter(line -> line.startsWith("threadclock_" + table + ","))
                .count();
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop(0);
        }
        threads.shutdownNow();
        try {
            place.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
