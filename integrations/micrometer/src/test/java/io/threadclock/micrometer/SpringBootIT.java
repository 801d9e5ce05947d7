// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.ThreadClock;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the meters in a server of Spring Boot, by its endpoint for Prometheus. */
@Tag("server")
class SpringBootIT {
    private static final double ORDERS_SECONDS = BootProgram.ORDERS * BootProgram.ORDER_NS / 1e9;

    private static final String VIRTUAL = "--spring.threads.virtual.enabled=true";
    private static final Path HOME = Path.of(System.getProperty("threadclock.home", "../.."));

    private static final List<String> MEASURED = List.of(
            "http_server_requests_cpu_seconds_count", "order_validate_cpu_seconds_count", "executor_cpu_tasks_total");

    private static final List<String> UNMEASURED = List.of(
            "http_server_requests_cpu_unmeasured_observations_total",
            "order_validate_cpu_unmeasured_calls_total",
            "executor_cpu_unmeasured_tasks_total");

    @TempDir
    private static Path folder;

    private static String output;

    @BeforeAll
    static void runProgram() {
        output = ThreadClock.isSupported() ? outputOn(Jdks.running(), List.of()) : null;
    }

    private static String outputOn(Jdk jdk, List<String> jvmOptions, String... arguments) {
        return Programs.output(Programs.shortLived(BootProgram.class, jdk)
                .jvmOptions(jvmOptions)
                .arguments(arguments));
    }

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
    }

    /** The values of the series with this name and tag. */
    private static List<Double> values(String output, String name, String tag) {
        return Pattern.compile("(?m)^" + name + "\\{[^}]*" + Pattern.quote(tag) + "[^}]*} (\\S+)$")
                .matcher(output)
                .results()
                .map((MatchResult series) -> Double.parseDouble(series.group(1)))
                .toList();
    }

    private static double sum(String name, String tag) {
        List<Double> values = values(output, name, tag);
        assertThat(values).as("series %s of %s, in%n%s", name, tag, output).isNotEmpty();
        return values.stream().mapToDouble(Double::doubleValue).sum();
    }

    private static void assertMeasuredBesideItsWallTime(String meter, String tag) {
        assertThat(sum(meter + "_seconds_count", tag)).isEqualTo(BootProgram.ORDERS);
        assertThat(sum(meter + "_cpu_seconds_count", tag)).isEqualTo(BootProgram.ORDERS);
        assertThat(sum(meter + "_cpu_seconds_sum", tag)).isGreaterThanOrEqualTo(ORDERS_SECONDS);
        assertThat(sum(meter + "_cpu_time_seconds_total", tag)).isGreaterThanOrEqualTo(ORDERS_SECONDS);
    }

    private static void assertEach(List<String> names, double count, String text) {
        for (String name : names) {
            assertThat(values(text, name, "")).as("%s in%n%s", name, text).containsOnly(count);
        }
    }

    @Test
    void isNotWarnedOfMetersThatAreRegisteredTwice() {
        assertThat(output).doesNotContain("already registered");
    }

    @Test
    void measuresEachRequestBesideItsWallTime() {
        assertMeasuredBesideItsWallTime("http_server_requests", "uri=\"/orders\"");
        assertThat(sum("http_server_requests_cpu_unmeasured_observations_total", "uri=\"/orders\""))
                .isZero();
    }

    @OnEachJdkWithVirtualThreads
    void measuresRequestsMethodsTasksAndSpansInMeasuredVirtualThreads(Jdk jdk) throws Exception {
        Path recording = folder.resolve(jdk.feature() + ".jfr");
        String text = outputOn(
                jdk,
                List.of("-XX:StartFlightRecording:filename=" + recording),
                VIRTUAL,
                "--" + BootProgram.MEASURED + "=true");
        assertMeasured(text);
        assertThat(RecordingFile.readAllEvents(recording).stream()
                        .filter(event -> event.getEventType().getName().equals("threadclock.Span")))
                .as("spans in the recording")
                .hasSize(BootProgram.ORDERS)
                .allSatisfy(span -> {
                    assertThat(span.getDuration("cpuTime"))
                            .isGreaterThanOrEqualTo(Duration.ofNanos(BootProgram.ORDER_NS));
                    assertThat(span.getLong("unmeasuredParts")).isZero();
                });
    }

    /** A program that has none of the page's beans. */
    @OnEachJdkWithVirtualThreads
    void measuresTheSameWhereTheAgentMeasuresAllVirtualThreads(Jdk jdk) throws Exception {
        Path agent = HOME.resolve("native/build/libthreadclock.so").toRealPath();
        assertMeasured(outputOn(jdk, List.of("-agentpath:" + agent + "=virtual"), VIRTUAL));
    }

    private static void assertMeasured(String text) {
        assertEach(MEASURED, BootProgram.ORDERS, text);
        assertEach(UNMEASURED, 0, text);
    }

    @OnEachJdkWithVirtualThreads
    void countsRequestsMethodsAndTasksInOtherVirtualThreadsAsUnmeasured(Jdk jdk) {
        assertEach(UNMEASURED, BootProgram.ORDERS, outputOn(jdk, List.of(), VIRTUAL));
    }

    @Test
    void usesTheBeansThatThePageOfVirtualThreadsShows() throws IOException {
        String page = Files.readString(HOME.resolve("docs/virtual-threads.md"));
        String program = Files.readString(
                HOME.resolve("integrations/micrometer/src/test/java/io/threadclock/micrometer/BootProgram.java"));
        List<String> beans = Pattern.compile("(?m)^    @Bean\\n(    .*\\n)+")
                .matcher(page)
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(beans).hasSize(2).allSatisfy(bean -> assertThat(program).containsIgnoringWhitespaces(bean));
    }

    @Test
    void hasItsOwnHistogramOfRequests() {
        assertThat(values(output, "http_server_requests_seconds_bucket", "uri=\"/orders\""))
                .hasSizeGreaterThan(10);
        assertThat(values(output, "http_server_requests_cpu_seconds_bucket", "uri=\"/orders\""))
                .as("up to 1 ms, 20 s, infinity")
                .containsExactly(0.0, (double) BootProgram.ORDERS, (double) BootProgram.ORDERS);
    }

    @Test
    void measuresAMethodBesideItsWallTime() {
        assertMeasuredBesideItsWallTime("order_validate", "method=\"validate\"");
    }

    @Test
    void tellsWhatThePoolsCost() {
        assertThat(sum("threadclock_pool_cpu_time_seconds_total", "pool=\"main\""))
                .isPositive();
    }
}
