// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.ThreadClock;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.Jdks;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the meters' cost of measuring with a thread that does nothing else. */
@Tag("timing")
class MeasuringCostIT {
    private static final Path LIBRARY =
            Path.of(System.getProperty("threadclock.home", ".."), "threadclock-native/build/libthreadclock.so");

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
        String output = Programs.output(ChildJvm.on(Jdks.running())
                .jvmOptions("-agentpath:" + LIBRARY.toRealPath() + "=" + agentOptions)
                .mainClass(ReadingProgram.class)
                .arguments(reads));
        double thread = Programs.figure(output, "thread");
        // This is wall time as the probe measures it, which is more on a busy machine.
        assertThat(Programs.figure(output, "meters"))
                .as("s by the meters, of %s s", thread)
                .isBetween(thread / 2, thread * 3);
    }
}
