// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.ThreadClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the meters' cost of measuring with a thread that does nothing else. */
@Tag("timing")
class MeasuringCostIT {
    private static final Path LIBRARY =
            Path.of(System.getProperty("threadclock.home", ".."), "threadclock-native/build/libthreadclock.so");

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock = """
            source=clock |    500000
            stats        |  20000000
            """)
    void isWhatItCosts(String agentOptions, String reads) throws Exception {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        assumeThat(Files.isReadable(LIBRARY)).as("%s is built", LIBRARY).isTrue();
        String output = Executable.output(
                folder,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-agentpath:" + LIBRARY.toRealPath() + "=" + agentOptions,
                        "-cp",
                        System.getProperty("java.class.path"),
                        ReadingProgram.class.getName(),
                        reads));
        assertThat(output).startsWith("0\n");
        double thread = figure(output, "thread");
        // This is wall time as the probe measures it, which is more on a busy machine.
        assertThat(figure(output, "meters"))
                .as("s by the meters, of %s s", thread)
                .isBetween(thread / 2, thread * 3);
    }

    private static double figure(String output, String name) {
        Matcher matcher = Pattern.compile("(?m)^" + name + " ([0-9.E-]+)$").matcher(output);
        assertThat(matcher.find()).as("%s, in%n%s", name, output).isTrue();
        return Double.parseDouble(matcher.group(1));
    }
}
