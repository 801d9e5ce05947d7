// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/** The program of {@link WithoutTheClockIT}: prints a fact per line. */
final class ClocklessProgram {
    private ClocklessProgram() {}

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
            print(registry);
        }
    }

    private static void print(MeterRegistry registry) {
        System.out.println(
                "supported " + registry.get("threadclock.supported").gauge().value());
        System.out.println("meters of threadclock " + countOf(registry, "threadclock."));
        System.out.println("timers of observations " + countOf(registry, "observed-cpu"));
        System.out.println("unmeasured observations "
                + registry.get("observed.cpu.unmeasured").counter().count());
        System.out.println("unmeasured tasks "
                + registry.get("executor.cpu.unmeasured").functionCounter().count());
        System.out.println("pools tell CPU time "
                + (registry.find("threadclock.pool.cpu.time").functionCounters().stream()
                                .mapToDouble(FunctionCounter::count)
                                .sum()
                        > 0));
    }

    private static long countOf(MeterRegistry registry, String prefix) {
        return registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith(prefix))
                .count();
    }
}
