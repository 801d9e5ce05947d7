// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Into a real QuestDB, for a second. */
@Timeout(600)
class IngestTest {
    private final CommandHere command = new CommandHere();

    @Test
    void measuresWhatCanBeQueried() throws Exception {
        assertThat(command.run("ingest", "--duration=1s", "--jvms=2", "--threads=30", "--json"))
                .as(command.err())
                .isZero();
        assertThat(command.err()).contains("writing to http://127.0.0.1:", " for 1s,");
        JsonNode result = new ObjectMapper().readTree(command.out());
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
        assertThat(command.run("ingest", "--duration=1s", "--to=http::addr=127.0.0.1:1;"))
                .isEqualTo(1);
        assertThat(command.err().lines().skip(1))
                .singleElement()
                .asString()
                .contains("writing to http://127.0.0.1:1: it cannot be connected to. Start the server");
    }

    @Test
    void takesItsServerFromAFileWhereNobodySeesThePassword(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("server"), "http::addr=127.0.0.1:1;\nusername=u;password=p;\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(command.run("ingest", "--duration=1s", "--to=@" + file)).isEqualTo(1);
        assertThat(command.err())
                .contains("writing to http://127.0.0.1:1 for")
                .doesNotContain("can see the password", "may read", "sent as it is");
    }

    @Test
    void saysThatOthersSeeAPasswordAmongItsWords() {
        assertThat(command.run("ingest", "--duration=1s", "--to=http::addr=127.0.0.1:1;username=u;password=secret;"))
                .isEqualTo(1);
        assertThat(command.err())
                .contains("every user of this machine can see the password or token in --to")
                .doesNotContain("secret");
    }

    @Test
    void saysThatOthersMayReadTheFileWithThePassword(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("server"), "http::addr=127.0.0.1:1;username=u;password=p;\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(command.run("ingest", "--duration=1s", "--to=@" + file)).isEqualTo(1);
        assertThat(command.err())
                .contains("threadclock: others may read " + file + ", which has a password or token; chmod 600 it");
    }

    @Test
    void saysThatThePasswordIsNotEncrypted() {
        assertThat(command.run("ingest", "--duration=1s", "--to=http::addr=0.0.0.0:1;token=secret;"))
                .isEqualTo(1);
        assertThat(command.err())
                .contains("the password or token for http://0.0.0.0:1 is sent as it is")
                .doesNotContain("secret");
    }

    @Test
    void refusesAFileThatIsNotThere() {
        assertThat(command.run("ingest", "--to=@/nonexistent/server")).isEqualTo(2);
        assertThat(command.err()).hasLineCount(1).contains("--to: the file cannot be read");
    }
}
