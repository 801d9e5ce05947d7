// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.Clock;
import io.micrometer.influx.InfluxConfig;
import io.micrometer.influx.InfluxMeterRegistry;
import io.threadclock.ThreadClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes the meters by Influx's line protocol to a real QuestDB, and reads them by SQL. */
@Tag("server")
class InfluxIT {
    @TempDir
    private Path folder;

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
    }

    @Test
    void carriesPoolsProcessAndHealthIntoQuestDb() throws Exception {
        try (QuestDb db = new QuestDb(folder);
                ThreadClockMetrics metrics = new ThreadClockMetrics()) {
            InfluxMeterRegistry registry = new InfluxMeterRegistry(configuration(db.address()), Clock.SYSTEM);
            metrics.bindTo(registry);
            Burning.cpu(50_000_000);
            double ownSeconds = ThreadClock.cpuTimeNs() / 1e9;
            registry.close(); // which publishes
            db.awaitTable("threadclock_pool_cpu_time");
            JsonNode own = db.ask("select mode, metric_type, sum(value) from threadclock_pool_cpu_time where pool = '"
                    + Thread.currentThread().getName() + "' order by mode");
            assertThat(own).as("rows of this thread: system and user").hasSize(2);
            assertThat(own.at("/0/1").asText()).isEqualTo("counter");
            assertThat(own.at("/0/2").asDouble() + own.at("/1/2").asDouble())
                    .as("CPU s of this thread, in the step that was published")
                    .isBetween(ownSeconds - 0.2, ownSeconds + 1); // a snapshot may be 100 ms old
            assertThat(db.ask(Page.blocks("sql").get(0)))
                    .as("rows of the page's query")
                    .isNotEmpty();
            db.awaitTable("threadclock_source");
            assertThat(db.ask("select source from threadclock_source where value = 1")
                            .at("/0/0")
                            .asText())
                    .isEqualTo(ThreadClock.source().name().toLowerCase(Locale.ROOT));
        }
    }

    private static InfluxConfig configuration(String address) {
        return new InfluxConfig() {
            /** The server makes a table for each meter; on a slow disk that takes longer than the default of 10 s. */
            @Override
            public String get(String key) {
                return key.equals("influx.readTimeout") ? "120s" : null;
            }

            @Override
            public String uri() {
                return address;
            }

            @Override
            public boolean autoCreateDb() {
                return false;
            }

            @Override
            public Duration step() {
                return Duration.ofHours(1);
            }
        };
    }
}
