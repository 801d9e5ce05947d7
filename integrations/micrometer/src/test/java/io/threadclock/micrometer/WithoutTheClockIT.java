// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdks;
import org.junit.jupiter.api.Test;

/** Tests a program with meters where the native library cannot be loaded, as on a developer's own machine. */
class WithoutTheClockIT {
    /** The JVM's own threads are told by the kernel, and not by the clock: three kinds, beside "supported". */
    @Test
    void aStrictProgramRunsAndMeasuresNothingOfItsOwnThreads() {
        assertThat(output("-Dthreadclock.strict=true"))
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
    void aProgramHasPoolsAndTasksFromTheJdksClock() {
        assertThat(output())
                .contains(
                        "supported 0.0",
                        "pools tell CPU time true",
                        "timers of observations 1\n",
                        "unmeasured observations 0.0",
                        "unmeasured tasks 0.0");
    }

    private static String output(String... options) {
        return Programs.output(Programs.shortLived(ClocklessProgram.class, Jdks.running())
                .jvmOptions("-Dthreadclock.library=/nowhere/missing.so")
                .jvmOptions(options));
    }
}
