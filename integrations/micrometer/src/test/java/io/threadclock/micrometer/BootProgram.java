// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.annotation.Timed;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import io.threadclock.jfr.CpuSpan;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.task.SimpleAsyncTaskExecutorCustomizer;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The program of {@link SpringBootIT}: a server as its users write it, with the beans of docs/metrics.md. It requests
 * three orders from itself, and prints what Prometheus would get.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class BootProgram {
    static final int ORDERS = 3;
    static final long ORDER_NS = 2_000_000;
    static final String MEASURED = "measured";

    /** Each of these counts an order once. */
    private static final int COUNTERS = 3;

    private static final Pattern COUNTED = Pattern.compile(
            "(?m)^(?:http_server_requests_cpu_(?:seconds_count|unmeasured_observations_total)"
                    + "|order_validate_cpu_(?:seconds_count|unmeasured_calls_total)|executor_cpu_(?:tasks|unmeasured_tasks)_total)\\{[^}]*} (\\S+)$");

    private static final Map<String, Object> PROPERTIES = Map.of(
            "server.port", "0",
            "spring.jmx.enabled", "false",
            "management.endpoints.web.exposure.include", "prometheus",
            "management.observations.annotations.enabled", "true",
            "management.defaults.metrics.export.enabled", "false",
            "management.prometheus.metrics.export.enabled", "true",
            "management.metrics.distribution.percentiles-histogram.http.server.requests", "true",
            "management.metrics.distribution.slo.http.server.requests-cpu", "1ms,20s");

    @Bean
    ThreadClockMetrics threadClockMetrics() {
        return new ThreadClockMetrics();
    }

    @Bean
    CpuObservationHandler cpuOfObservations(MeterRegistry registry) {
        return new CpuObservationHandler(registry);
    }

    @Bean
    CpuTimedAspect cpuOfMethods(MeterRegistry registry) {
        return new CpuTimedAspect(registry);
    }

    @Bean
    Orders orders() {
        return new Orders();
    }

    public static void main(String[] arguments) throws Exception {
        SpringApplication program = new SpringApplication(BootProgram.class);
        program.setDefaultProperties(PROPERTIES);
        try (ConfigurableApplicationContext context = program.run(arguments)) {
            String root = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
            for (int i = 0; i < ORDERS; i++) {
                answer(root + "/orders");
            }
            awaitCounts(context.getBean(PrometheusMeterRegistry.class));
            System.out.println(answer(root + "/actuator/prometheus"));
        }
    }

    /**
     * A client may have its answer before the server has counted the request, and a task's result before it is counted.
     */
    private static void awaitCounts(PrometheusMeterRegistry registry) throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (counts(registry.scrape()) < COUNTERS * ORDERS && System.nanoTime() - endNs < 0) {
            Thread.sleep(1);
        }
    }

    /** Orders, validations and tasks, whether they were measured or not. */
    private static double counts(String page) {
        return COUNTED.matcher(page)
                .results()
                .mapToDouble((MatchResult series) -> Double.parseDouble(series.group(1)))
                .sum();
    }

    private static String answer(String address) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** The beans of docs/virtual-threads.md. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(MEASURED)
    static class MeasuredThreads {
        @Bean
        WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> measuredRequests() {
            return tomcat ->
                    tomcat.addProtocolHandlerCustomizers(handler -> handler.setExecutor(VirtualThreads.executor()));
        }

        @Bean
        SimpleAsyncTaskExecutorCustomizer measuredTasks() {
            return executor -> {
                executor.setVirtualThreads(false);
                executor.setThreadFactory(VirtualThreads.factory());
            };
        }
    }

    /** Spring makes a proxy of this bean. */
    static class Orders {
        @Timed("order.validate")
        void validate() {
            if (ThreadClock.canRead()) {
                Burning.cpu(ORDER_NS);
            }
        }
    }

    /** Spring finds this class by itself. */
    @RestController
    static final class Server {
        private final Orders orders;
        private final Executor executor;

        /** Measures the tasks of Spring's own executor. That would be missing if this one were a bean. */
        Server(Orders orders, MeterRegistry registry, AsyncTaskExecutor applicationTaskExecutor) {
            this.orders = orders;
            executor = new CpuTimedExecutor(registry, applicationTaskExecutor, "orders", Tags.empty());
        }

        @GetMapping("/orders")
        @SuppressWarnings("try") // the span only has to be closed
        String order() throws InterruptedException {
            try (CpuSpan span = CpuSpan.begin("order")) {
                orders.validate();
                Thread.sleep(1); // a virtual thread leaves its carrier
            }
            CompletableFuture.runAsync(Thread::yield, executor).join();
            return "done";
        }
    }
}
