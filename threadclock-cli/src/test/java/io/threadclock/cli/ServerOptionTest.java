// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.recorder.ServerAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Uses record, which checks the server before it refuses process 1, which is not a JVM. */
class ServerOptionTest {
    private static final String EXPOSED = "http::addr=0.0.0.0:1;\nusername=u;password=secret;\n";

    private final CommandHere command = new CommandHere();

    @TempDir
    Path directory;

    @Test
    void takesItsServerFromAFileWhereNobodySeesThePassword() throws IOException {
        assertThat(record("@" + file(EXPOSED, "rw-------"))).isEqualTo(1);
        assertThat(command.err())
                .contains("the password or token for http://0.0.0.0:1 is sent as it is")
                .doesNotContain("can see the password", "may read", "secret");
    }

    @Test
    void warnsOfNothingWhereThePasswordStaysOnThisMachine() throws IOException {
        assertThat(record("@" + file("http::addr=127.0.0.1:1;username=u;password=secret;", "rw-------")))
                .isEqualTo(1);
        assertThat(command.err()).hasLineCount(1).startsWith("threadclock: looking ");
    }

    @Test
    void refusesAPasswordAmongItsWordsWhichOthersSee() {
        assertThat(record("http::addr=127.0.0.1:1;username=u;password=secret;")).isEqualTo(2);
        assertThat(command.err())
                .contains("--to: every user of this machine can see a password or token in it")
                .doesNotContain("secret");
    }

    @Test
    void takesItsServerFromTheVariableOfQuestDbsClients() {
        assertThat(serverOf("env", Map.of("QDB_CLIENT_CONF", " https::addr=db.example;token=secret;\n")))
                .hasValueSatisfying(address -> {
                    assertThat(address).hasToString("https://db.example:9000");
                    assertThat(address.authorization()).hasValue("Bearer secret");
                });
        assertThat(record("env")).isEqualTo(2);
        assertThat(command.err()).contains("--to: the variable QDB_CLIENT_CONF is not set");
    }

    @Test
    void saysThatOthersMayReadTheFileWithThePassword() throws IOException {
        Path file = file(EXPOSED, "rw-r-----");
        assertThat(record("@" + file)).isEqualTo(1);
        assertThat(command.err())
                .contains("threadclock: others may read " + file + ", which has a password or token; chmod 600 it");
    }

    @Test
    void saysThatThePasswordIsNotEncrypted() throws IOException {
        assertThat(record("@" + file("http::addr=0.0.0.0:1;token=secret;", "rw-------")))
                .isEqualTo(1);
        assertThat(command.err())
                .contains("the password or token for http://0.0.0.0:1 is sent as it is")
                .doesNotContain("secret");
    }

    @Test
    void refusesAFileThatIsNotThere() {
        assertThat(record("@/nonexistent/server")).isEqualTo(2);
        assertThat(command.err()).hasLineCount(1).contains("--to: the file cannot be read");
    }

    private static Optional<ServerAddress> serverOf(String to, Map<String, String> environment) {
        ServerOption option = new ServerOption();
        CommandLine command = new CommandLine(CommandSpec.create());
        command.addMixin("server", option);
        command.parseArgs("--to=" + to);
        return option.address(environment);
    }

    private int record(String to) {
        return command.run("record", "--to=" + to, "1");
    }

    private Path file(String text, String permissions) throws IOException {
        Path file = Files.writeString(directory.resolve("server"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }
}
