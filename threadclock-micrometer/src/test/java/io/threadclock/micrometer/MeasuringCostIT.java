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
import org.junit.jupiter.api.Test;

/** Compares the meters' cost of measuring with a thread that does nothing else. */
@Tag("timing")
class MeasuringCostIT {
    private static final Path LIBRARY =
            Path.of(System.getProperty("threadclock.home", ".."), "threadclock-native/build/libthreadclock.so");

    /** Each reading of this source is a system call. */
    @Test
    void isWhatItCosts() throws Exception {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        assumeThat(Files.isReadable(LIBRARY)).as("%s is built", LIBRARY).isTrue();
        String output = Programs.output(ChildJvm.on(Jdks.running())
                .jvmOptions("-agentpath:" + LIBRARY.toRealPath() + "=source=clock")
                .mainClass(ReadingProgram.class)
                .arguments("500000"));
        double thread = Programs.figure(output, "thread");
        // This is wall time as the probe measures it, which is more on a busy machine.
        assertThat(Programs.figure(output, "meters"))
                .as("s by the meters, of %s s", thread)
                .isBetween(thread / 2, thread * 3);
    }
}
