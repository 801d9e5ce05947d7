// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a program with meters where the native library cannot be loaded, as on a developer's own machine. */
class WithoutTheClockIT {
    @TempDir
    private Path folder;

    /** The JVM's own threads are told by the kernel, and not by the clock: three kinds, beside "supported". */
    @Test
    void aStrictProgramRunsAndMeasuresNothingOfItsOwnThreads() throws Exception {
        assertThat(output("-Dthreadclock.strict=true"))
                .startsWith("0\n")
                .contains(
                        "the task has run",
                        "the observed has run",
                        "supported 0.0",
                        "meters of threadclock 4\n",
                        "timers of observations 0\n",
                        "unmeasured observations 1.0",
                        "unmeasured tasks 1.0");
    }

    @Test
    void aProgramHasPoolsAndTasksFromTheJdksClock() throws Exception {
        assertThat(output())
                .startsWith("0\n")
                .contains(
                        "supported 0.0",
                        "pools tell CPU time true",
                        "timers of observations 1\n",
                        "unmeasured observations 0.0",
                        "unmeasured tasks 0.0");
    }

    private String output(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.add("-Dthreadclock.library=" + folder.resolve("missing.so"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ClocklessProgram.class.getName()));
        return Executable.output(folder, command);
    }
}
