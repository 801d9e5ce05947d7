// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Into a real QuestDB, for a second. */
@Timeout(120)
class IngestTest {
    private final CommandHere command = new CommandHere();

    @Test
    void measuresWhatCanBeQueried() throws Exception {
        assertThat(command.run("ingest", "--seconds=1", "--jvms=2", "--threads=30", "--json")).as(command.err()).isZero();
        assertThat(command.err()).contains("writing to http://127.0.0.1:", " for 1 s");
        JsonNode result = new ObjectMapper().readTree(command.out());
        assertThat(result.path("rows").asLong()).isPositive().satisfies(rows -> assertThat(rows % 30).as("rows beyond whole samples").isZero());
        assertThat(result.path("rowsPerSecond").asDouble())
                .isCloseTo(result.path("rows").asLong() / result.path("seconds").asDouble(), within(1.0));
        assertThat(result.path("lineBytes").asDouble()).as("bytes of a row as it is sent").isBetween(60.0, 300.0);
        assertThat(result.path("seconds").asDouble()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void saysInOneLineThatThereIsNoServer() {
        assertThat(command.run("ingest", "--seconds=1", "--to=http::addr=127.0.0.1:1;")).isEqualTo(1);
        assertThat(command.err().lines().skip(1)).singleElement().asString()
                .contains("writing to http://127.0.0.1:1: it cannot be connected to. Start the server");
    }
}
