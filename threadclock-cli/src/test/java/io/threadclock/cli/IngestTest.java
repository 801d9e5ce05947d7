// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** Into a real QuestDB, for a second. */
@Timeout(120)
class IngestTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void measuresWhatCanBeQueried() throws Exception {
        assertThat(run("--seconds=1", "--jvms=2", "--threads=30", "--json")).as(err.toString()).isZero();
        JsonNode result = new ObjectMapper().readTree(out.toString());
        assertThat(result.path("rows").asLong()).isPositive().satisfies(rows -> assertThat(rows % 30).as("rows beyond whole samples").isZero());
        assertThat(result.path("rowsPerSecond").asDouble())
                .isCloseTo(result.path("rows").asLong() / result.path("seconds").asDouble(), within(1.0));
        assertThat(result.path("lineBytes").asDouble()).as("bytes of a row as it is sent").isBetween(60.0, 300.0);
        assertThat(result.path("seconds").asDouble()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void saysInOneLineThatThereIsNoServer() {
        assertThat(run("--seconds=1", "--to=http::addr=127.0.0.1:1;")).isEqualTo(1);
        assertThat(err.toString()).hasLineCount(1).contains("writing to http://127.0.0.1:1: it cannot be connected to. Start the server");
    }

    private int run(String... arguments) {
        CommandLine command = ThreadClock.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        String[] words = new String[arguments.length + 1];
        words[0] = "ingest";
        System.arraycopy(arguments, 0, words, 1, arguments.length);
        return command.execute(words);
    }
}
