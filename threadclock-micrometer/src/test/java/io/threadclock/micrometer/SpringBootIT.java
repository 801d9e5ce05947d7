// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the meters in a server of Spring Boot, by its endpoint for Prometheus. */
class SpringBootIT {
    private static final double ORDERS_SECONDS = BootProgram.ORDERS * BootProgram.ORDER_NS / 1e9;

    @TempDir
    private static Path folder;

    private static String output;

    @BeforeAll
    static void runProgram() throws Exception {
        if (!ThreadClock.isSupported()) {
            return;
        }
        output = outputWith();
    }

    private static String outputWith(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                BootProgram.class.getName()));
        command.addAll(List.of(arguments));
        String text = Executable.output(folder, command);
        assertThat(text).startsWith("0\n");
        return text;
    }

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
    }

    /** The values of the series with this name and tag. */
    private static List<Double> values(String name, String tag) {
        return values(output, name, tag);
    }

    private static List<Double> values(String output, String name, String tag) {
        return Pattern.compile("(?m)^" + name + "\\{[^}]*" + Pattern.quote(tag) + "[^}]*} (\\S+)$")
                .matcher(output)
                .results()
                .map((MatchResult series) -> Double.parseDouble(series.group(1)))
                .toList();
    }

    private static double sum(String name, String tag) {
        assertThat(values(name, tag))
                .as("series %s of %s, in%n%s", name, tag, output)
                .isNotEmpty();
        return values(name, tag).stream().mapToDouble(Double::doubleValue).sum();
    }

    @Test
    void isNotWarnedOfMetersThatAreRegisteredTwice() {
        assertThat(output).doesNotContain("already registered");
    }

    @Test
    void measuresEachRequestBesideItsWallTime() {
        assertThat(sum("http_server_requests_seconds_count", "uri=\"/orders\"")).isEqualTo(BootProgram.ORDERS);
        assertThat(sum("http_server_requests_cpu_seconds_count", "uri=\"/orders\""))
                .isEqualTo(BootProgram.ORDERS);
        assertThat(sum("http_server_requests_cpu_seconds_sum", "uri=\"/orders\""))
                .isGreaterThanOrEqualTo(ORDERS_SECONDS);
        assertThat(sum("http_server_requests_cpu_time_seconds_total", "uri=\"/orders\""))
                .isGreaterThanOrEqualTo(ORDERS_SECONDS);
        assertThat(sum("http_server_requests_cpu_unmeasured_observations_total", "uri=\"/orders\""))
                .isZero();
    }

    @Test
    void measuresEachRequestInAnAccountedVirtualThread() throws Exception {
        assumeThat(VirtualThreads.areAccountable())
                .as(VirtualThreads.explanation())
                .isTrue();
        String text = outputWith("--spring.threads.virtual.enabled=true");
        assertThat(values(text, "http_server_requests_cpu_seconds_count", "uri=\"/orders\""))
                .containsExactly((double) BootProgram.ORDERS);
        assertThat(values(text, "http_server_requests_cpu_seconds_sum", "uri=\"/orders\""))
                .allSatisfy(seconds -> assertThat(seconds).isGreaterThanOrEqualTo(ORDERS_SECONDS));
    }

    @Test
    void hasItsOwnHistogramOfRequests() {
        assertThat(values("http_server_requests_seconds_bucket", "uri=\"/orders\""))
                .hasSizeGreaterThan(10);
        assertThat(values("http_server_requests_cpu_seconds_bucket", "uri=\"/orders\""))
                .as("up to 1 ms, 20 s, infinity")
                .containsExactly(0.0, (double) BootProgram.ORDERS, (double) BootProgram.ORDERS);
    }

    @Test
    void measuresAMethodBesideItsWallTime() {
        assertThat(sum("order_validate_seconds_count", "method=\"validate\"")).isEqualTo(BootProgram.ORDERS);
        assertThat(sum("order_validate_cpu_tasks_total", "method=\"validate\"")).isEqualTo(BootProgram.ORDERS);
        assertThat(sum("order_validate_cpu_time_seconds_total", "method=\"validate\""))
                .isGreaterThanOrEqualTo(ORDERS_SECONDS);
    }

    @Test
    void tellsWhatThePoolsCost() {
        assertThat(sum("threadclock_pool_cpu_time_seconds_total", "pool=\"main\""))
                .isPositive();
    }
}
