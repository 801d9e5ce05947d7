// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import io.threadclock.ThreadClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/metrics.md and {@link ThreadClockMeter}: the meters that there are. */
class MetricsPageTest {
    private static final Path PAGE = Path.of(System.getProperty("threadclock.home", ".."), "docs/metrics.md");

    @Test
    void listsEachMeterWithItsNamesTypeUnitAndTags() throws IOException {
        String rows = Arrays.stream(ThreadClockMeter.values())
                .map(MetricsPageTest::row)
                .collect(Collectors.joining("\n"));
        assertThat(Files.readString(PAGE)).as("%s has these rows", PAGE).contains(rows);
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

    /** As Prometheus has it: its registry writes a counter's suffix when it is asked. */
    static String prometheusName(ThreadClockMeter meter) {
        String name = new PrometheusNamingConvention().name(meter.getName(), meter.getType(), meter.getBaseUnit());
        return meter.getType() == Meter.Type.COUNTER ? name + "_total" : name;
    }

    @Test
    void listsWhatIsBoundAsItIs() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        for (Meter meter : bound()) {
            ThreadClockMeter listed = Arrays.stream(ThreadClockMeter.values())
                    .filter(of -> of.getName().equals(meter.getId().getName()))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(meter.getId() + " is not listed"));
            assertThat(meter.getId().getType()).as("type of %s", listed).isEqualTo(listed.getType());
            assertThat(meter.getId().getBaseUnit()).as("base unit of %s", listed).isEqualTo(listed.getBaseUnit());
            assertThat(meter.getId().getDescription()).isEqualTo(listed.description());
            assertThat(meter.getId().getTags())
                    .extracting(Tag::getKey)
                    .as("tags of %s", listed)
                    .containsExactlyInAnyOrderElementsOf(
                            Arrays.stream(listed.getKeyNames()).map(KeyName::asString).toList());
        }
    }

    @Test
    void listsNothingThatIsNeverBound() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        Set<String> names = bound().stream().map(meter -> meter.getId().getName()).collect(Collectors.toSet());
        assertThat(ThreadClockMeter.values())
                .extracting(ThreadClockMeter::getName)
                .as("names of all meters")
                .containsExactlyInAnyOrderElementsOf(names);
    }

    /** In seconds, as Prometheus has them. */
    private static List<Meter> bound() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry() {
            @Override
            protected TimeUnit getBaseTimeUnit() {
                return TimeUnit.SECONDS;
            }
        };
        try (ThreadClockMetrics metrics = new ThreadClockMetrics()) {
            metrics.bindTo(registry);
            new CpuTimedExecutor(registry, Runnable::run, "any", Tags.empty());
            return registry.getMeters();
        }
    }
}
