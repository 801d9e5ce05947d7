// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.annotation.Timed;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.test.simple.SimpleTracer;
import io.threadclock.ThreadClock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.boot.task.ThreadPoolTaskExecutorBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ConcurrentTaskExecutor;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Tests a server that has the starter and no bean of threadclock's. */
class StarterIT {
    private static final int ORDERS = 3;
    private static final int CLIENTS = 8;
    private static final int LOAD = 200;
    private static final int HANDED_OVER = 10;
    static final long ORDER_NS = 2_000_000;
    private static final String[] WEB_FLUX = {
        "spring.main.web-application-type=reactive", "spring.reactor.context-propagation=auto"
    };
    private static final String VIRTUAL = "spring.threads.virtual.enabled=true";

    /** Where both are, Spring Boot 4 would start this one. */
    private static final String JETTY = Stream.of(
                    "servlet.JettyServletWebServerAutoConfiguration",
                    "reactive.JettyReactiveWebServerAutoConfiguration")
            .map("org.springframework.boot.jetty.autoconfigure."::concat)
            .collect(Collectors.joining(","));

    private static final String METHODS = "management.observations.annotations.enabled=true";

    private final HttpClient client = HttpClient.newHttpClient();
    private ConfigurableApplicationContext program;

    @AfterEach
    void end() {
        if (program != null) {
            program.close();
        }
    }

    @Test
    void measuresRequestsPoolsAndMethods() throws Exception {
        String page = pageAfterMeasuredOrders(Shop.class, METHODS);
        assertThat(value(page, "order_validate_cpu_seconds_count")).isEqualTo(ORDERS);
        assertThat(page).contains("threadclock_pool_cpu_time_seconds_total{", "threadclock_supported 1.0");
    }

    @Test
    void measuresRequestsAndTasksInVirtualThreads() throws Exception {
        assumeVirtualThreads();
        pageAfterMeasuredOrders(Shop.class, VIRTUAL);
        assertThat(tasksOf(pageAfterTasks(ORDERS), "cpu_tasks_total")).isEqualTo(ORDERS);
        assertThat(answer("/orders"))
                .matches("virtual tomcat-handler-\\d+ readable; virtual task-" + (ORDERS + 1) + " readable");
    }

    @Test
    @Tag("server")
    void measuresRequestsInVirtualThreadsOfJetty() throws Exception {
        assumeVirtualThreads();
        pageAfterMeasuredOrders(OnJetty.class, VIRTUAL);
        assertThat(answer("/orders")).matches("virtual jetty-\\d+ readable; virtual task-\\d+ readable");
    }

    @Test
    @Tag("server")
    void measuresRequestsOfWebFlux() throws Exception {
        pageAfterMeasuredOrders(Shop.class, WEB_FLUX);
    }

    @Test
    @Tag("server")
    void measuresRequestsOfWebFluxBesideVirtualThreads() throws Exception {
        assumeVirtualThreads();
        pageAfterMeasuredOrders(Shop.class, VIRTUAL, WEB_FLUX[0], WEB_FLUX[1]);
        assertThat(answer("/orders")).matches(".*; virtual task-\\d+ readable");
    }

    @Test
    @Tag("server")
    void measuresTasks() throws Exception {
        pageAfterMeasuredOrders(Shop.class);
        assertThat(tasksOf(pageAfterTasks(ORDERS), "cpu_tasks_total")).isEqualTo(ORDERS);
    }

    @Test
    @Tag("timing")
    void measuresEachRequestUnderLoadAndNoMoreThanTheProcessHasUsed() throws Exception {
        assumeTheClockIsHere();
        start(VIRTUAL);
        double beforeSeconds = processSeconds(answer("/actuator/prometheus"));
        ask("/orders", LOAD);
        String page = pageAfter(LOAD, "/orders");
        boolean isReadable = answer("/orders").matches("\\w+ \\S+ readable.*");
        assertThat(isReadable).as("the thread of a request").isTrue();
        assertThat(value(page, "http_server_requests_cpu_seconds_count")).isEqualTo(LOAD);
        assertThat(value(page, "http_server_requests_cpu_seconds_sum"))
                .as("CPU s of %d requests, above their work and below the process's", LOAD)
                .isBetween(LOAD * ORDER_NS / 1e9, processSeconds(page) - beforeSeconds);
    }

    /** Spring stops its observation twice, and Micrometer counts both. */
    @Test
    @Tag("server")
    void tellsOnceOfARequestThatTimesOut() throws Exception {
        assumeTheClockIsHere();
        start();
        assertThat(answer("/slow")).isEqualTo("too late");
        String page = pageThat(read -> value(read, "http_server_requests_seconds_count", "/slow") == 2);
        assertThat(value(page, "http_server_requests_cpu_seconds_count", "/slow"))
                .isEqualTo(1);
    }

    private void ask(String path, int requests) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            Callable<String> request = () -> answer(path);
            for (Future<String> answer : clients.invokeAll(Collections.nCopies(requests, request))) {
                answer.get();
            }
        } finally {
            clients.shutdown();
        }
    }

    /** Reactor opens scopes of observations that never start, and closes them after their observations have stopped. */
    @Tag("long")
    @Test
    void answersEveryRequestOfWebFluxThatGoesFromThreadToThread() throws Exception {
        start(WEB_FLUX);
        ask("/flow", 560);
    }

    @Tag("long")
    @Test
    void answersWhereItsMetersAreRefused() throws Exception {
        start(Refusing.class, METHODS);
        assertThat(answer("/orders")).contains("task-");
        assertThat(answer("/actuator/threadclock")).contains("\"costliestThreads\":[");
        assertThat(pageAfter(1, "/orders")).doesNotContain("threadclock_", "requests_cpu", "executor_cpu");
    }

    /** Spring refuses beans while the program ends. */
    @Test
    void runsTasksWhereTheRegistryIsNotFound() throws Exception {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        BeanPostProcessor measuring = TasksAutoConfiguration.threadClockMeasuredTasks(
                beans, beans.getBeanProvider(MeterRegistry.class), beans.getBeanProvider(ObservationRegistry.class));
        ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
        measuring.postProcessBeforeInitialization(executor, "executor");
        executor.initialize();
        try {
            assertThat(executor.submit(() -> "done").get(2, TimeUnit.MINUTES)).isEqualTo("done");
        } finally {
            executor.shutdown();
        }
    }

    private static double processSeconds(String page) {
        return sum(page, "threadclock_process_cpu_time_seconds_total\\{.*}");
    }

    @ParameterizedTest
    @Tag("server")
    @ValueSource(classes = {Decorated.class, Built.class, Rebuilt.class})
    void measuresTasksThatTheProgramDecorates(Class<?> main) throws Exception {
        assumeTheClockIsHere();
        start(main);
        assertThat(answer("/orders")).contains("decorated ");
        assertThat(tasksOf(pageAfterTasks(1))).isEqualTo(1);
    }

    /**
     * The thread of the request has next to nothing to do. Spring's scheduler of virtual threads decorates tasks too
     * late.
     */
    @ParameterizedTest
    @CsvSource({
        VIRTUAL + ", async callable executor service stages",
        "spring.task.execution.propagate-context=true, async callable executor scheduler service stages"
    })
    void countsForARequestWhatItHandsToOtherThreads(String property, String ways) throws Exception {
        assumeTheClockIsHere();
        start(Handing.class, property, "spring.task.execution.mode=force");
        for (String way : ways.split(" ")) {
            String uri = "/handed/" + way;
            double firstSeconds = value(pageAfter(uri, 1), "http_server_requests_cpu_seconds_sum", uri);
            String page = pageAfter(uri, 2); // the first request has Spring prepare for it
            assertThat(value(page, "http_server_requests_cpu_seconds_sum", uri) - firstSeconds)
                    .as("CPU s of the second %s", uri)
                    .isGreaterThanOrEqualTo(HANDED_OVER * ORDER_NS / 1e9);
            assertThat(value(page, "http_server_requests_cpu_unmeasured_observations_total", uri))
                    .isZero();
        }
        assertScheduledMethodsAreMeasured();
    }

    private void assertScheduledMethodsAreMeasured() throws Exception {
        Pattern count = Pattern.compile("(?m)^tasks_scheduled_execution_cpu_seconds_count\\{.*} [1-9]");
        Pattern either = Pattern.compile("(?m)^tasks_scheduled_execution_cpu_(seconds_count|unmeasured.*)\\{.*} [1-9]");
        assertThat(pageThat(page -> either.matcher(page).find())).containsPattern(count);
    }

    private String pageAfter(String uri, int requests) throws Exception {
        assertThat(answer(uri)).matches("\\w+ (executor|task|scheduling|pool-\\d+-thread)-\\d+ readable");
        return pageAfter(requests, uri);
    }

    @Test
    @Tag("server")
    void tellsAtTheStartWhatIsMeasured() {
        assumeTheClockIsHere();
        assertThat(lineOf(Shop.class))
                .isEqualTo(
                        "threadclock (source "
                                + ThreadClock.source().name().toLowerCase(Locale.ROOT)
                                + ") measures requests and other observations, spans, tasks, thread pools and the process."
                                + " Not measured: what requests hand to executors that are no beans, or the common pool, as parallel"
                                + " streams and CompletableFuture without an executor do (wrap tasks by CpuObservationHandler.wrap()).");
    }

    @Test
    @Tag("server")
    void tellsOfVirtualThreadsBeforePools() {
        assumeTheClockIsHere();
        assumeVirtualThreads();
        assertThat(lineOf(Shop.class, VIRTUAL))
                .contains(" observations, spans, tasks, virtual threads, thread pools and the process.");
    }

    @Test
    void tellsAtTheStartWhatIsNotMeasured() {
        assertThat(lineOf(Unmeasured.class, WEB_FLUX[0], "spring.task.execution.mode=force"))
                .contains(
                        "measures observations, ",
                        "set spring.reactor.context-propagation=auto",
                        "what requests hand to ",
                        "own, pool, scheduler, spring, executors that are no beans, or the common pool, as parallel streams")
                .doesNotContain("spring.task.execution.mode");
    }

    /** Spring Boot removes all handlers, and leaves filters. */
    private String lineOf(Class<?> main, String... properties) {
        List<String> lines = new ArrayList<>();
        Logger logger = Logger.getLogger("io.threadclock");
        logger.setFilter((LogRecord line) -> lines.add(line.getMessage()));
        try {
            start(main, properties);
        } finally {
            logger.setFilter(null);
        }
        return String.join("\n", lines);
    }

    private static double tasksOf(String page) {
        return tasksOf(page, "cpu_tasks_total") + tasksOf(page, "cpu_unmeasured_tasks_total");
    }

    private static double tasksOf(String page, String name) {
        return sum(page, "executor_" + name + "\\{name=\"applicationTaskExecutor\"}");
    }

    @Test
    @Tag("server")
    void leavesPlatformThreadsThatTheProgramWants() throws Exception {
        assumeVirtualThreads();
        start(Built.class, VIRTUAL);
        assertThat(answer("/orders")).contains("platform decorated task-");
    }

    @Tag("long")
    @Test
    void tellsOfSpansWhatTheyHaveCost() throws Exception {
        assumeTheClockIsHere();
        assertThat(tagsOfAnOrdersSpan()).containsKeys("threadclock.cpu.time", "threadclock.cpu.user_time");
    }

    @Test
    @Tag("server")
    void tellsNothingOfSpansIfItIsToldTo() throws Exception {
        assertThat(tagsOfAnOrdersSpan("threadclock.spans.enabled=false"))
                .isNotEmpty()
                .doesNotContainKey("threadclock.cpu.time");
    }

    private Map<String, String> tagsOfAnOrdersSpan(String... properties) throws Exception {
        start(Traced.class, properties);
        answer("/orders");
        SimpleTracer tracer = program.getBean(SimpleTracer.class);
        while (tracer.getSpans().isEmpty()
                || tracer.getSpans().getFirst().getEndTimestamp().toEpochMilli() == 0) {
            Thread.onSpinWait();
        }
        return tracer.getSpans().getFirst().getTags();
    }

    @Test
    @Tag("server")
    void leavesVirtualThreadsAsTheyAreIfItIsToldTo() throws Exception {
        assumeVirtualThreads();
        start(VIRTUAL, "threadclock.virtual-threads.enabled=false");
        assertThat(answer("/orders")).matches("virtual tomcat-handler-\\d+ unreadable; virtual task-\\d+ unreadable");
    }

    @Test
    @Tag("server")
    void tellsTheCostliestThreads() throws Exception {
        start(VIRTUAL);
        String json = answer("/actuator/threadclock");
        assertThat(json)
                .contains(
                        "\"source\":\"" + ThreadClock.source() + "\"",
                        "\"waits\":" + (ThreadClock.waits().runDelayNs() >= 0),
                        Runtime.version().toString(),
                        System.getProperty("os.version"),
                        "\"perfEventParanoid\":");
        assertThat(json)
                .contains("\"supported\":" + ThreadClock.isSupported(), "\"explanation\":[\"", "\"name\":\"main\"");
        List<Long> costs = Pattern.compile("\"cpuTimeNs\":(\\d+)")
                .matcher(json)
                .results()
                .map((MatchResult cost) -> Long.valueOf(cost.group(1)))
                .toList();
        assertThat(costs).hasSizeBetween(2, 10).isSortedAccordingTo((one, other) -> Long.compare(other, one));
    }

    @Tag("long")
    @Test
    void tellsItsHealth() throws Exception {
        start("management.endpoint.health.show-details=always");
        String status = ThreadClock.isSupported() ? "UP" : "UNKNOWN";
        assertThat(answer("/actuator/health/threadClock"))
                .contains("\"status\":\"" + status + "\"", "\"source\":\"" + ThreadClock.source() + "\"");
    }

    @Test
    @Tag("server")
    void tellsItsHealthWhereTheClockIsRefused() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dthreadclock.library=/nowhere/hidden.so",
                        "-Dthreadclock.strict=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StarterIT.class.getName())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("\"status\":\"UNKNOWN\"", "\"source\":\"none\"");
    }

    /** Is the program of that test. */
    public static void main(String[] args) throws Exception {
        StarterIT test = new StarterIT();
        try {
            test.start("management.endpoint.health.show-details=always");
            System.out.println(test.answer("/actuator/health/threadClock"));
        } finally {
            test.end();
        }
    }

    @Test
    @Tag("server")
    void doesNotChangeTheHealthOfTheProgram() throws Exception {
        start();
        assertThat(answer("/actuator/health")).contains("\"status\":\"UP\"");
    }

    @Test
    void runsOnTheSpringBootThatIsMeant() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("spring-boot.version"));
    }

    @Tag("long")
    @Test
    void configuresNothingIfItIsToldTo() throws Exception {
        assertThat(pageAfterOrders(Shop.class, "threadclock.enabled=false"))
                .doesNotContain("threadclock_", "_cpu_seconds_sum{");
    }

    private static void assumeTheClockIsHere() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
    }

    private static void assumeVirtualThreads() {
        assumeThat(Runtime.version().feature())
                .as("a Java with virtual threads")
                .isGreaterThanOrEqualTo(21);
    }

    void start(String... properties) {
        start(Shop.class, properties);
    }

    private void start(Class<?> main, String... properties) {
        Stream<String> fixed = Stream.of(
                "server.port=0",
                "spring.autoconfigure.exclude=" + (main == OnJetty.class ? "" : JETTY),
                "spring.jmx.enabled=false",
                "management.endpoints.web.exposure.include=health,prometheus,threadclock");
        program = new SpringApplication(main)
                .run(Stream.concat(fixed, Stream.of(properties))
                        .map(property -> "--" + property)
                        .toArray(String[]::new));
    }

    private String pageAfterOrders(Class<?> main, String... properties) throws Exception {
        start(main, properties);
        for (int i = 0; i < ORDERS; i++) {
            answer("/orders");
        }
        return pageAfter(ORDERS, "/orders");
    }

    private String pageAfterMeasuredOrders(Class<?> main, String... properties) throws Exception {
        assumeTheClockIsHere();
        String page = pageAfterOrders(main, properties);
        assertThat(value(page, "http_server_requests_cpu_seconds_sum")).isGreaterThanOrEqualTo(ORDERS * ORDER_NS / 1e9);
        assertThat(value(page, "http_server_requests_cpu_unmeasured_observations_total"))
                .isZero();
        return page;
    }

    /**
     * A client may have its answer before the server has counted the request, and a page that has its time may lack its
     * CPU time.
     */
    private String pageAfter(int requests, String uri) throws Exception {
        pageThat(page -> value(page, "http_server_requests_seconds_count", uri) >= requests);
        return answer("/actuator/prometheus");
    }

    /** A task completes its future before it is counted. */
    private String pageAfterTasks(int tasks) throws Exception {
        return pageThat(page -> tasksOf(page) >= tasks);
    }

    private String pageThat(Predicate<String> isAwaited) throws Exception {
        String page = answer("/actuator/prometheus");
        while (!isAwaited.test(page)) {
            page = answer("/actuator/prometheus");
        }
        return page;
    }

    /** The sum of the series of the orders; 0 if there is none. */
    private static double value(String page, String name) {
        return value(page, name, "/orders");
    }

    private static double value(String page, String name, String uri) {
        return sum(page, name + "\\{[^}]*(?:uri=\"" + uri + "\"|method=\"validate\")[^}]*}");
    }

    private static double sum(String page, String series) {
        return Pattern.compile("(?m)^" + series + " (\\S+)$")
                .matcher(page)
                .results()
                .mapToDouble((MatchResult each) -> Double.parseDouble(each.group(1)))
                .sum();
    }

    String answer(String path) throws IOException, InterruptedException {
        String port = program.getEnvironment().getProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as("status of %s", path).isEqualTo(200);
        return response.body();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Orders.class, Server.class})
    static class Shop {}

    private static Runnable named(Runnable task) {
        return () -> {
            Thread thread = Thread.currentThread();
            String name = thread.getName();
            thread.setName("decorated " + name);
            task.run();
            thread.setName(name);
        };
    }

    static class Decorated extends Shop {
        @Bean
        TaskDecorator naming() {
            return StarterIT::named;
        }
    }

    static class Built extends Shop {
        @Bean
        AsyncTaskExecutor applicationTaskExecutor(SimpleAsyncTaskExecutorBuilder builder) {
            return builder.virtualThreads(false).taskDecorator(StarterIT::named).build();
        }
    }

    static class Rebuilt extends Shop {
        @Bean
        ThreadPoolTaskExecutorBuilder threadPoolTaskExecutorBuilder() {
            return new ThreadPoolTaskExecutorBuilder().taskDecorator(StarterIT::named);
        }
    }

    /** A request has its work done by a method, a result, an executor or a scheduler that is asynchronous. */
    @EnableAsync
    @EnableScheduling
    @Import({Elsewhere.class, Handover.class})
    static class Handing extends Shop {
        @Bean
        ThreadPoolTaskExecutor executor() {
            return new ThreadPoolTaskExecutor();
        }

        /** Spring ends it with the program. */
        @Bean
        ExecutorService service() {
            return Executors.newSingleThreadExecutor();
        }
    }

    /** Spring makes a proxy of this bean. */
    static class Elsewhere {
        private final Orders orders;

        Elsewhere(Orders orders) {
            this.orders = orders;
        }

        @Async("applicationTaskExecutor")
        CompletableFuture<String> async() {
            return CompletableFuture.completedFuture(here());
        }

        @Scheduled(fixedDelay = 10)
        void often() {
            orders.validate();
        }

        String here() {
            for (int i = 0; i < HANDED_OVER; i++) {
                orders.validate();
            }
            return Server.thread();
        }
    }

    @RestController
    record Handover(
            Elsewhere elsewhere,
            @Qualifier("executor") ThreadPoolTaskExecutor executor,
            TaskScheduler scheduler,
            ExecutorService service) {
        @GetMapping("/handed/async")
        CompletableFuture<String> async() {
            return elsewhere.async();
        }

        @GetMapping("/handed/callable")
        Callable<String> callable() {
            return elsewhere::here;
        }

        @GetMapping("/handed/executor")
        String byExecutor() throws Exception {
            return executor.submit(elsewhere::here).get();
        }

        /** The thread of the first stage hands the second one over. */
        @GetMapping("/handed/stages")
        String stages() {
            CompletableFuture<Void> mayEnd = new CompletableFuture<>();
            CompletableFuture<String> second = CompletableFuture.runAsync(mayEnd::join, executor)
                    .thenApplyAsync(none -> elsewhere.here(), executor);
            mayEnd.complete(null);
            return second.join();
        }

        @GetMapping("/handed/service")
        String byService() throws Exception {
            return service.submit(elsewhere::here).get();
        }

        @GetMapping("/handed/scheduler")
        String byScheduler() {
            CompletableFuture<String> done = new CompletableFuture<>();
            scheduler.schedule(() -> done.complete(elsewhere.here()), Instant.now());
            return done.join();
        }
    }

    static class Unmeasured extends Shop {
        @Bean
        ForkJoinPool own() {
            return new ForkJoinPool(1);
        }

        /** The program may cast it. */
        @Bean
        ExecutorService pool() {
            return Executors.newFixedThreadPool(1);
        }

        /** It decorates tasks too late. */
        @Bean
        TaskScheduler scheduler() {
            return new SimpleAsyncTaskScheduler();
        }

        @Bean
        ConcurrentTaskExecutor spring() {
            return new ConcurrentTaskExecutor(Runnable::run);
        }
    }

    /** The factory has another name in Spring Boot 3. */
    @Import(JettyFactory.class)
    static class OnJetty extends Shop {}

    static class JettyFactory implements ImportSelector {
        @Override
        public String[] selectImports(AnnotationMetadata of) {
            String ofBoot4 = "org.springframework.boot.jetty.servlet.JettyServletWebServerFactory";
            return new String[] {
                ClassUtils.isPresent(ofBoot4, null)
                        ? ofBoot4
                        : "org.springframework.boot.web.embedded.jetty.JettyServletWebServerFactory"
            };
        }
    }

    /** With a registry that fails at each of the starter's meters. */
    static class Refusing extends Shop {
        @Bean
        MeterFilter refusing() {
            return new MeterFilter() {
                @Override
                public MeterFilterReply accept(Meter.Id id) {
                    if (id.getName().matches("threadclock\\..*|(executor|http|order).*(\\.cpu\\..*|-cpu)")) {
                        throw new IllegalStateException("planted: " + id);
                    }
                    return MeterFilterReply.NEUTRAL;
                }
            };
        }
    }

    static class Traced extends Shop {
        @Bean
        SimpleTracer tracer() {
            return new SimpleTracer();
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
    record Server(Orders orders, @Qualifier("applicationTaskExecutor") AsyncTaskExecutor tasks) {
        @GetMapping("/orders")
        String order() {
            orders.validate();
            return thread() + "; "
                    + CompletableFuture.supplyAsync(Server::thread, tasks).join();
        }

        @GetMapping("/slow")
        DeferredResult<String> slow() {
            return new DeferredResult<>(1L, "too late");
        }

        @GetMapping("/flow")
        Mono<String> flow() {
            return Flux.range(0, 4)
                    .flatMap(i -> Mono.fromCallable(Server::thread)
                            .subscribeOn(Schedulers.parallel())
                            .delayElement(Duration.ofMillis(1)))
                    .publishOn(Schedulers.boundedElastic())
                    .last();
        }

        private static String thread() {
            Thread thread = Thread.currentThread();
            String kind = thread.getClass().getSimpleName().equals("VirtualThread") ? "virtual" : "platform";
            return kind + " " + thread.getName() + " " + (ThreadClock.canRead() ? "readable" : "unreadable");
        }
    }
}
