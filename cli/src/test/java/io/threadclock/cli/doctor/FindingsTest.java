// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.DocumentedScreen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The findings in each {@link Situation} of a file among this class's resources. A law there is a line that begins with
 * {@code #}; below it, situations begin with {@code ?}, and are followed by the rows that they name behind a colon.
 * -Dthreadclock.golden=write writes the rows again.
 */
class FindingsTest {
    private static final Path FILE =
            DocumentedScreen.HOME.resolve("cli/src/test/resources/io/threadclock/cli/doctor/findings.txt");
    private static final StringBuilder WRITTEN = new StringBuilder();

    static Stream<String> laws() throws IOException {
        return Stream.of(Files.readString(FILE).split("(?m)^(?=# )"));
    }

    @ParameterizedTest
    @MethodSource("laws")
    void areApproved(String law) {
        String now = law; // a law that cannot be tried is not lost
        try {
            now = law.lines()
                    .filter(line -> line.startsWith("#") || line.startsWith("?"))
                    .map(line -> line.startsWith("#") ? line : line + "\n" + rows(line.substring(1)))
                    .collect(Collectors.joining("\n", "", "\n"));
        } finally {
            WRITTEN.append(now);
        }
        assertThat(now).isEqualTo(DocumentedScreen.WRITES ? now : law);
    }

    private static String rows(String situation) {
        String[] part = situation.split(":");
        return new Situation(part[0].strip()).rows(List.of(part[1].strip().split(", ")));
    }

    @AfterAll
    static void write() throws IOException {
        if (DocumentedScreen.WRITES) {
            Files.writeString(FILE, WRITTEN);
        }
    }
}
