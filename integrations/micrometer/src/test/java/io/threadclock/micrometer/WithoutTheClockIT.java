// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.threadclock.harness.Jdks;
import org.junit.jupiter.api.Test;

/** Tests a program with meters where the native library cannot be loaded, as on a developer's own machine. */
class WithoutTheClockIT {
    @Test
    void aStrictProgramRunsAndMeasuresNothingOfItsOwnThreads() {
        String output = output("-Dthreadclock.strict=true");
        assertThat(output)
                .contains("the task has run", "the observed has run", "threadclock.supported[] 0.0")
                .contains(
                        "observed.cpu.unmeasured[tag(error=none)] 1.0", "executor.cpu.unmeasured[tag(name=direct)] 1.0")
                .doesNotContain("observed-cpu");
        assertThat(output.lines().filter(line -> line.startsWith("threadclock.")))
                .as("beside \"supported\", the JVM's own threads, which the kernel tells")
                .hasSize(4);
    }

    @Test
    void aProgramHasPoolsAndTasksFromTheJdksClock() {
        assertThat(output())
                .contains("threadclock.supported[] 0.0")
                .containsPattern("(?m)^threadclock\\.pool\\.cpu\\.time\\[.*] (?!0\\.0$)")
                .contains("observed-cpu[tag(error=none)] 1.0", "observed.cpu.unmeasured[tag(error=none)] 0.0")
                .contains("executor.cpu.unmeasured[tag(name=direct)] 0.0");
    }

    private static String output(String... options) {
        return Programs.output(Programs.shortLived(Clockless.class, Jdks.running())
                .jvmOptions("-Dthreadclock.library=/nowhere/missing.so")
                .jvmOptions(options));
    }

    /** Is the program. */
    static final class Clockless {
        private Clockless() {}

        public static void main(String[] arguments) {
            MeterRegistry registry = new SimpleMeterRegistry();
            try (ThreadClockMetrics metrics = new ThreadClockMetrics()) {
                metrics.bindTo(registry);
                new CpuTimedExecutor(registry, Runnable::run, "direct", Tags.empty())
                        .execute(() -> System.out.println("the task has run"));
                ObservationRegistry observations = ObservationRegistry.create();
                observations.observationConfig().observationHandler(new CpuObservationHandler(registry));
                Observation.createNotStarted("observed", observations)
                        .observe(() -> System.out.println("the observed has run"));
                Programs.print(registry);
            }
        }
    }
}
