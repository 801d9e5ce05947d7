// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.threadclock.Samples;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualPoolTimes;
import io.threadclock.diagnostics.FailureLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A real Prometheus scrapes the meters, and PromQL reads them. */
@Tag("server")
class PrometheusIT {
    private static final long BURNT_NS = 300_000_000;

    @TempDir
    private static Path folder;

    private static final PrometheusMeterRegistry REGISTRY = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private static final ObservationRegistry OBSERVATIONS = ObservationRegistry.create();
    private static final CountDownLatch END = new CountDownLatch(1);
    private static final CountDownLatch BURNT = new CountDownLatch(1);
    private static ThreadClockMetrics metrics;
    private static ExecutorService orders;
    private static HttpServer server;
    private static Prometheus prometheus;
    private static volatile double burntSeconds;

    @BeforeAll
    static void scrape() throws Exception {
        if (!ThreadClock.isSupported() || Executable.look("prometheus").isEmpty()) {
            return;
        }
        metrics = new ThreadClockMetrics();
        metrics.bindTo(REGISTRY);
        Path quotaFiles = Files.createDirectory(folder.resolve("quota"));
        AtomicInteger periods = new AtomicInteger();
        new CpuQuotaMetrics(
                        Tags.empty(),
                        () -> ThreadClockMetricsTest.quota(quotaFiles, "150000 100000", periods.incrementAndGet()))
                .bindTo(REGISTRY);
        AtomicLong mounts = new AtomicLong(1);
        new VirtualPoolMeters(
                        Tags.empty(),
                        () -> List.of(
                                Samples.pool(VirtualPoolTimes.REST, mounts.addAndGet(1_000_000), 0, 0, 0),
                                Samples.pool("orders-*", mounts.get(), 0, mounts.get(), 1)),
                        System::nanoTime,
                        0,
                        new FailureLog(""))
                .bindTo(REGISTRY);
        OBSERVATIONS.observationConfig().observationHandler(new CpuObservationHandler(REGISTRY));
        orders = CpuTimedExecutorService.monitor(REGISTRY, Executors.newFixedThreadPool(2), "orders");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            byte[] page = REGISTRY.scrape().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        start("burner-1", PrometheusIT::burnOnce);
        start("feeder", PrometheusIT::giveOrders);
        prometheus = new Prometheus(folder, server.getAddress().getPort());
    }

    @BeforeEach
    void assumeThatAllIsHere() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        Executable.find("prometheus");
    }

    @AfterAll
    static void end() throws IOException {
        END.countDown();
        if (prometheus != null) {
            prometheus.close();
        }
        if (server != null) {
            server.stop(0);
            orders.shutdownNow();
            metrics.close();
        }
    }

    /** What it throws, at the end, is of no interest. */
    private static void start(String name, Callable<Void> work) {
        Thread thread = new Thread(new FutureTask<>(work), name);
        thread.setDaemon(true);
        thread.start();
    }

    /** The thread then waits, so that its cost stays the same. */
    private static Void burnOnce() throws InterruptedException {
        Burning.cpu(BURNT_NS);
        burntSeconds = ThreadClock.cpuTimeNs() / 1e9;
        BURNT.countDown();
        END.await();
        return null;
    }

    /** Runs tasks of 1 ms one after the other, with a rest between them. */
    private static Void giveOrders() throws Exception {
        do {
            orders.submit(() -> Burning.cpu(1_000_000)).get();
            Observation.createNotStarted("http.server.requests", OBSERVATIONS)
                    .lowCardinalityKeyValue("uri", "/orders")
                    .observe(() -> Burning.cpu(1_000));
        } while (!END.await(10, TimeUnit.MILLISECONDS));
        return null;
    }

    @Test
    void getsWhatAPoolHasCostToTheMillisecond() throws Exception {
        BURNT.await();
        String query = "sum(threadclock_pool_cpu_time_seconds_total{pool='burner-*'}) >= " + burntSeconds;
        double seconds = prometheus.one(query);
        assertThat(seconds).as("CPU s, with what it takes to wait").isCloseTo(burntSeconds, within(0.005));
        assertThat(prometheus.one("threadclock_pool_threads{pool='burner-*'}")).isEqualTo(1);
    }

    @Test
    void getsOfTheTasksOfAnExecutorWhatEachCost() throws Exception {
        double seconds = prometheus.one("sum(executor_cpu_time_seconds_total{name='orders'})"
                + " / sum(executor_cpu_tasks_total{name='orders'} >= 50)");
        // A task may end while the counters are read, so that it is in the counter of tasks, but not yet in those of
        // time.
        assertThat(seconds).as("CPU s of a task of 1 ms").isBetween(0.001 * 49 / 50, 0.005);
    }

    @Test
    void getsMoreOfTheProcessThanOfItsPools() throws Exception {
        double more = prometheus.one(
                "sum(threadclock_process_cpu_time_seconds_total) - sum(threadclock_pool_cpu_time_seconds_total)");
        assertThat(more).as("CPU s of the JVM's own threads").isPositive();
    }

    @Test
    void getsTheClocksHealth() throws Exception {
        String source = ThreadClock.source().name().toLowerCase(Locale.ROOT);
        assertThat(prometheus.one("threadclock_source{source='" + source + "'}"))
                .isEqualTo(1);
        assertThat(prometheus.one("sum(threadclock_source)")).isEqualTo(1);
        assertThat(prometheus.one("sum(threadclock_resyncs_total)"))
                .as("resyncs")
                .isPositive();
        assertThat(prometheus.one("threadclock_demotions_total"))
                .as("demotions")
                .isBetween(0.0, 3.0);
    }

    static List<String> queriesOfTheDocument() {
        StringBuilder text = new StringBuilder();
        for (String line : Shipped.PAGE_TEXT.lines().toList()) {
            boolean isQuery = line.matches(" {4,}.*(sum|threadclock_|executor_).*");
            boolean goesOn = line.matches(" {6,}[/-] .*");
            text.append(!isQuery ? "\n" : goesOn ? line : "\n" + line);
        }
        return text.toString()
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    @ParameterizedTest
    @MethodSource({"queriesOfTheDocument", "io.threadclock.micrometer.Shipped#dashboardQueries"})
    void answersWhatTheDocumentAndTheDashboardAsk(String query) throws Exception {
        // The share of an idle pool is 0 / 0.
        assertThat(prometheus.await(query)).as("rows").anySatisfy(figure -> assertThat(figure)
                .isFinite());
    }

    @Test
    void evaluatesTheAlertRulesWithoutAnError() throws Exception {
        prometheus.one("threadclock_supported");
        for (JsonNode rule : prometheus.get("/api/v1/rules").findValue("rules")) {
            assertThat(rule.get("lastError"))
                    .as("error of %s", rule.get("name"))
                    .isNull();
            assertThat(prometheus.query(rule.get("query").asText())).isNotNull();
        }
    }
}
