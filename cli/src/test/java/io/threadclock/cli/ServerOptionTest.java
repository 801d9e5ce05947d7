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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Uses record, which checks the server before it refuses process 1, which is not a JVM. */
class ServerOptionTest {
    private final CommandHere command = new CommandHere();

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "rw-r-----"})
    void takesItsServerFromAFileAndSaysWhoElseMayReadThePasswordThereOrOnTheWay(String permissions) throws IOException {
        Path file = file("http::addr=0.0.0.0:1;\nusername=u;password=secret;\n", permissions);
        assertThat(record("@" + file)).isEqualTo(1);
        assertThat(command.err())
                .contains("the password or token for http://0.0.0.0:1 is sent as it is")
                .doesNotContain("can see the password", "secret");
        assertThat(command.err()
                        .contains("threadclock: others may read " + file
                                + ", which has a password or token; chmod 600 it"))
                .isEqualTo(permissions.equals("rw-r-----"));
    }

    @Test
    void warnsOfNothingWhereThePasswordStaysOnThisMachine() throws IOException {
        assertThat(record("@" + file("http::addr=127.0.0.1:1;username=u;password=secret;", "rw-------")))
                .isEqualTo(1);
        assertThat(command.err()).hasLineCount(1).startsWith("threadclock: looking ");
    }

    @Test
    void takesItsServerFromTheVariableOfQuestDbsClients() {
        assertThat(serverOf("env", Map.of("QDB_CLIENT_CONF", " https::addr=db.example;token=secret;\n")))
                .hasValueSatisfying(address -> {
                    assertThat(address).hasToString("https://db.example:9000");
                    assertThat(address.authorization()).hasValue("Bearer secret");
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            http::addr=127.0.0.1:1;username=u;password=secret; | every user of this machine can see a password or token
            env | the variable QDB_CLIENT_CONF is not set
            @/nonexistent/server | the file cannot be read
            """)
    void refusesAPasswordAmongItsWordsWhichOthersSeeAndWhatIsNotThere(String to, String why) {
        assertThat(record(to)).isEqualTo(2);
        assertThat(command.err()).hasLineCount(1).contains("--to: " + why).doesNotContain("secret");
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
