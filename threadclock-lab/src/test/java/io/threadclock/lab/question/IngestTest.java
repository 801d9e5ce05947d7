// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Into a real QuestDB, for a second. */
@Timeout(600)
class IngestTest {
    private final StringWriter printed = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @Test
    void measuresWhatCanBeQueried() throws Exception {
        assertThat(run("--duration=1s", "--jvms=2", "--threads=30", "--json"))
                .as(errors.toString())
                .isZero();
        assertThat(errors.toString()).contains("writing to http://127.0.0.1:", " for 1s,");
        JsonNode result = new ObjectMapper().readTree(printed.toString());
        assertThat(result.path("rows").asLong()).isPositive().satisfies(rows -> assertThat(rows % 30)
                .as("rows beyond whole samples")
                .isZero());
        assertThat(result.path("rowsPerSecond").asDouble())
                .isCloseTo(result.path("rows").asLong() / result.path("seconds").asDouble(), within(1.0));
        assertThat(result.path("lineBytes").asDouble())
                .as("bytes of a row as it is sent")
                .isBetween(60.0, 300.0);
        assertThat(result.path("seconds").asDouble()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void saysInOneLineThatThereIsNoServer() {
        assertThat(run("--duration=1s", "--to=http::addr=127.0.0.1:1;")).isEqualTo(1);
        assertThat(errors.toString().lines().skip(1))
                .singleElement()
                .asString()
                .contains("writing to http://127.0.0.1:1: it cannot be connected to. Start the server");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--jvms=0", "--threads=0", "--to=db:9000", "--duration=2h", "--duration=5x"})
    void refusesWhatItCannotMeasure(String option) {
        assertThat(run(option)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains("--to", "--jvms", "--threads", "--duration", "--json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--duration=2", "--duration=1500ms", "--seconds=2", "--seconds=0.5m"})
    void takesTimesAsTheOtherCommandsDo(String option) {
        assertThat(new Ingest().commandLine().parseArgs(option).errors()).isEmpty();
    }

    private int run(String... arguments) {
        return new Ingest()
                .commandLine()
                .setOut(new PrintWriter(printed, true))
                .setErr(new PrintWriter(errors, true))
                .execute(arguments);
    }
}
