// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import io.threadclock.CostsByKey;
import io.threadclock.Samples;
import io.threadclock.ThreadClock;
import io.threadclock.diagnostics.FailureLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that docs/metrics.md, the dashboard and {@link ThreadClockMeter} have the same meters. */
class MetricsPageTest {
    /** The surroundings that the blocks assume. Each block is statements of a method. */
    private static final String SURROUNDINGS =
            """
            import io.micrometer.core.instrument.*;
            import io.micrometer.influx.InfluxConfig;
            import io.micrometer.observation.ObservationRegistry;
            import io.threadclock.CostsByKey;
            import io.threadclock.jfr.*;
            import io.threadclock.micrometer.*;
            import java.util.concurrent.*;
            class Snippet {
                interface Request {}
                MeterRegistry registry;
                ObservationRegistry observations;
                static Request request;
                static ExecutorService pool = ForkJoinPool.commonPool();
                static void handle(Request request) {}
                void statements() throws Exception { %s }
            }
            """;

    private static final Pattern METRIC = Pattern.compile("(threadclock|executor)_[a-z_]+");
    private static final Pattern VARIABLE = Pattern.compile("(?<=\\$)[a-z]+");

    private final JsonNode dashboard = Shipped.dashboard();

    @TempDir
    private Path folder;

    static List<String> javaBlocks() {
        return Shipped.blocks("java");
    }

    @ParameterizedTest
    @MethodSource("javaBlocks")
    void showsCodeThatCompiles(String block) throws IOException {
        Path source = Files.writeString(folder.resolve("Snippet.java"), String.format(SURROUNDINGS, block));
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, messages, messages, "-proc:none", "-d", folder.toString(), source.toString());
        assertThat(status).as("javac on%n%s%n%s", block, messages).isZero();
    }

    @Test
    void listsEachAlert() throws IOException {
        Path rules = Shipped.copy("threadclock-alerts.yaml", folder);
        List<String> alerts = Files.readAllLines(rules).stream()
                .filter(line -> line.contains("- alert: "))
                .map(line -> line.replace("- alert:", "").strip())
                .toList();
        assertThat(alerts).hasSize(7).allSatisfy(alert -> assertThat(Shipped.PAGE_TEXT)
                .contains("| `" + alert + "` |"));
    }

    @Test
    void listsEachMeterWithItsNamesTypeUnitAndTags() {
        String rows = Arrays.stream(ThreadClockMeter.values())
                .map(MetricsPageTest::row)
                .collect(Collectors.joining("\n"));
        assertThat(Shipped.PAGE_TEXT).as("%s has these rows", Shipped.PAGE).contains(rows);
    }

    private static String row(ThreadClockMeter meter) {
        String tags = Arrays.stream(meter.getKeyNames())
                .map(key -> "`" + key.asString() + "`")
                .collect(Collectors.joining(" "));
        return String.format(
                "| `%s` | `%s` | %s | %s | %s | %s |",
                meter.getName(),
                prometheusName(meter),
                meter.getType().name().toLowerCase(Locale.ROOT),
                meter.getBaseUnit() == null ? "" : meter.getBaseUnit(),
                tags,
                meter.description());
    }

    /** The name in Prometheus, whose registry adds a counter's suffix when it is read. */
    static String prometheusName(ThreadClockMeter meter) {
        String name = new PrometheusNamingConvention().name(meter.getName(), meter.getType(), meter.getBaseUnit());
        return meter.getType() == Meter.Type.COUNTER ? name + "_total" : name;
    }

    @Test
    void listsWhatIsBoundAsItIsAndNothingElse() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        assertThat(Arrays.stream(ThreadClockMeter.values())
                        .map(meter -> facts(
                                meter.getName(),
                                meter.getType(),
                                meter.getBaseUnit(),
                                meter.description(),
                                Arrays.stream(meter.getKeyNames()).map(KeyName::asString)))
                        .collect(Collectors.toSet()))
                .isEqualTo(bound().stream()
                        .map(Meter::getId)
                        .map(id -> facts(
                                id.getName(),
                                id.getType(),
                                id.getBaseUnit(),
                                id.getDescription(),
                                id.getTags().stream().map(Tag::getKey)))
                        .collect(Collectors.toSet()));
    }

    private static List<Object> facts(
            String name, Meter.Type type, String unit, String description, Stream<String> tags) {
        return Arrays.asList(name, type, unit, description, tags.sorted().toList());
    }

    /** In seconds, as Prometheus has them. */
    private List<Meter> bound() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry() {
            @Override
            protected TimeUnit getBaseTimeUnit() {
                return TimeUnit.SECONDS;
            }
        };
        try (ThreadClockMetrics metrics = new ThreadClockMetrics()) {
            metrics.bindTo(registry);
            new CpuQuotaMetrics(Tags.empty(), () -> ThreadClockMetricsTest.quota(folder, "150000 100000", 20))
                    .bindTo(registry);
            new CpuTimedExecutor(registry, Runnable::run, "any", Tags.empty());
            CostsByKey<String> costs = new CostsByKey<>(1);
            costs.enter("any").close();
            new CostsByKeyMetrics(costs, "any", Tags.empty()).bindTo(registry);
            new VirtualPoolMeters(
                            Tags.empty(),
                            () -> List.of(Samples.pool("any", 0, 0, 0, 0)),
                            System::nanoTime,
                            0,
                            new FailureLog(""))
                    .bindTo(registry);
            return registry.getMeters();
        }
    }

    @Test
    void theDashboardGivesEachPanelANumberAndAPlaceOfItsOwn() {
        Set<Integer> ids = new HashSet<>();
        Set<String> taken = new HashSet<>();
        for (JsonNode panel : dashboard.get("panels")) {
            String title = panel.get("title").asText();
            assertThat(ids.add(panel.get("id").asInt()))
                    .as("number of %s is new", title)
                    .isTrue();
            List<String> cells = cells(panel.get("gridPos"));
            assertThat(taken).as("cells before %s", title).doesNotContainAnyElementsOf(cells);
            taken.addAll(cells);
        }
    }

    private static List<String> cells(JsonNode place) {
        int left = place.get("x").asInt();
        int top = place.get("y").asInt();
        int right = left + place.get("w").asInt();
        int bottom = top + place.get("h").asInt();
        assertThat(right).as("right edge of %s", place).isLessThanOrEqualTo(24);
        return IntStream.range(left, right)
                .boxed()
                .flatMap(x -> IntStream.range(top, bottom).mapToObj(y -> x + "," + y))
                .toList();
    }

    @Test
    void theDashboardAsksForMetersThatThereAreAndForAllThatAreOfUse() {
        Set<String> names = Arrays.stream(ThreadClockMeter.values())
                .map(MetricsPageTest::prometheusName)
                .collect(Collectors.toSet());
        Set<String> asked = matches(METRIC, dashboard.findValuesAsText("expr").toString());
        assertThat(names).containsAll(asked);
        names.removeAll(asked);
        names.removeIf(name -> name.startsWith("threadclock_key_")); // of programs that count by keys
        assertThat(names)
                .as("names that no panel has")
                .containsExactlyInAnyOrder(
                        "threadclock_supported",
                        "threadclock_resyncs_lost_total",
                        "executor_cpu_unmeasured_tasks_total");
    }

    @Test
    void theDashboardUsesVariablesThatItHas() {
        Set<String> names = Set.copyOf(dashboard.at("/templating/list").findValuesAsText("name"));
        Set<String> used = matches(VARIABLE, dashboard.findValuesAsText("expr").toString());
        assertThat(names).containsAll(used);
    }

    private static Set<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
    }
}
