// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.annotation.Timed;
import io.threadclock.ThreadClock;
import io.threadclock.micrometer.ThreadClockMetrics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tests a server that has the starter and no bean of threadclock's. */
class StarterIT {
    private static final int ORDERS = 3;
    private static final long ORDER_NS = 2_000_000;
    private static final String VIRTUAL = "spring.threads.virtual.enabled=true";
    private static final String METHODS = "management.observations.annotations.enabled=true";

    private ConfigurableApplicationContext program;

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
    }

    @AfterEach
    void end() {
        if (program != null) {
            program.close();
        }
    }

    @Test
    void measuresRequestsPoolsAndMethods() throws Exception {
        String page = pageAfterOrders(METHODS);
        assertThat(value(page, "http_server_requests_cpu_seconds_sum")).isGreaterThanOrEqualTo(ORDERS * ORDER_NS / 1e9);
        assertThat(value(page, "http_server_requests_cpu_unmeasured_observations_total"))
                .isZero();
        assertThat(value(page, "order_validate_cpu_tasks_total")).isEqualTo(ORDERS);
        assertThat(page).contains("threadclock_pool_cpu_time_seconds_total{", "threadclock_supported 1.0");
    }

    @Test
    void measuresRequestsAndTasksInVirtualThreads() throws Exception {
        assumeThat(Runtime.version().feature())
                .as("a Java with virtual threads")
                .isGreaterThanOrEqualTo(21);
        String page = pageAfterOrders(VIRTUAL);
        assertThat(value(page, "http_server_requests_cpu_seconds_sum")).isGreaterThanOrEqualTo(ORDERS * ORDER_NS / 1e9);
        assertThat(value(page, "http_server_requests_cpu_unmeasured_observations_total"))
                .isZero();
        assertThat(answer("/orders")).matches("virtual tomcat-handler-\\d+ readable; virtual task-\\d+ readable");
    }

    @Test
    void leavesVirtualThreadsAsTheyAreIfItIsToldTo() throws Exception {
        assumeThat(Runtime.version().feature())
                .as("a Java with virtual threads")
                .isGreaterThanOrEqualTo(21);
        start(VIRTUAL, "threadclock.virtual-threads.enabled=false");
        assertThat(answer("/orders")).matches("virtual tomcat-handler-\\d+ unreadable; virtual task-\\d+ unreadable");
    }

    @Test
    void tellsTheCostliestThreads() throws Exception {
        start();
        String json = answer("/actuator/threadclock");
        assertThat(json).contains("\"supported\":true", "\"explanation\":[\"source ", "\"name\":\"main\"");
        List<Long> costs = Pattern.compile("\"cpuTimeNs\":(\\d+)")
                .matcher(json)
                .results()
                .map((MatchResult cost) -> Long.valueOf(cost.group(1)))
                .toList();
        assertThat(costs).hasSizeBetween(2, 10).isSortedAccordingTo((one, other) -> Long.compare(other, one));
    }

    @Test
    void configuresNothingIfItIsToldTo() throws Exception {
        assertThat(pageAfterOrders("threadclock.enabled=false")).doesNotContain("threadclock_", "_cpu_seconds_sum{");
    }

    @Test
    void leavesOutWhatIsSwitchedOff() throws Exception {
        String page = pageAfterOrders("threadclock.pools.enabled=false", "threadclock.observations.enabled=false");
        assertThat(page).doesNotContain("threadclock_", "_cpu_seconds_sum{");
    }

    @Test
    void prefersTheProgramsOwnBean() {
        start(Own.class);
        assertThat(program.getBeanNamesForType(ThreadClockMetrics.class)).containsExactly("own");
    }

    private void start(String... properties) {
        start(Shop.class, properties);
    }

    private void start(Class<?> main, String... properties) {
        Stream<String> fixed = Stream.of(
                "server.port=0",
                "spring.jmx.enabled=false",
                "management.endpoints.web.exposure.include=prometheus,threadclock");
        program = new SpringApplication(main)
                .run(Stream.concat(fixed, Stream.of(properties))
                        .map(property -> "--" + property)
                        .toArray(String[]::new));
    }

    /** A client may have its answer before the server has counted the request. */
    private String pageAfterOrders(String... properties) throws Exception {
        start(properties);
        for (int i = 0; i < ORDERS; i++) {
            answer("/orders");
        }
        String page = answer("/actuator/prometheus");
        while (value(page, "http_server_requests_seconds_count") < ORDERS) {
            Thread.onSpinWait();
            page = answer("/actuator/prometheus");
        }
        return page;
    }

    /** The sum of the series of the orders; 0 if there is none. */
    private static double value(String page, String name) {
        return Pattern.compile("(?m)^" + name + "\\{[^}]*(?:uri=\"/orders\"|method=\"validate\")[^}]*} (\\S+)$")
                .matcher(page)
                .results()
                .mapToDouble((MatchResult series) -> Double.parseDouble(series.group(1)))
                .sum();
    }

    private String answer(String path) throws IOException, InterruptedException {
        String port = program.getEnvironment().getProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as("status of %s", path).isEqualTo(200);
        return response.body();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        Orders orders() {
            return new Orders();
        }

        @Bean
        Server server(Orders orders, AsyncTaskExecutor applicationTaskExecutor) {
            return new Server(orders, applicationTaskExecutor);
        }
    }

    static class Own extends Shop {
        @Bean
        ThreadClockMetrics own() {
            return new ThreadClockMetrics();
        }
    }

    /** Spring makes a proxy of this bean. */
    static class Orders {
        @Timed("order.validate")
        void validate() {
            long endNs = ThreadClock.canRead() ? ThreadClock.cpuTimeNs() + ORDER_NS : 0;
            while (endNs > 0 && ThreadClock.cpuTimeNs() < endNs) {
                Thread.onSpinWait();
            }
        }
    }

    @RestController
    static final class Server {
        private final Orders orders;
        private final AsyncTaskExecutor tasks;

        Server(Orders orders, AsyncTaskExecutor tasks) {
            this.orders = orders;
            this.tasks = tasks;
        }

        @GetMapping("/orders")
        String order() {
            orders.validate();
            return thread() + "; "
                    + CompletableFuture.supplyAsync(Server::thread, tasks).join();
        }

        private static String thread() {
            Thread thread = Thread.currentThread();
            String kind = thread.getClass().getSimpleName().equals("VirtualThread") ? "virtual" : "platform";
            return kind + " " + thread.getName() + " " + (ThreadClock.canRead() ? "readable" : "unreadable");
        }
    }
}
