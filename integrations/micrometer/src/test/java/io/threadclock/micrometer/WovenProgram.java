// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.annotation.Timed;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Comparator;

/**
 * The program of {@link CpuTimedAspectIT}: methods into which AspectJ weaves the aspect. It prints the meters, one per
 * line.
 */
final class WovenProgram {
    private WovenProgram() {}

    public static void main(String[] arguments) {
        Metrics.addRegistry(new SimpleMeterRegistry());
        WovenProgram program = new WovenProgram();
        program.validate();
        program.validate();
        program.fail();
        new WholeClass().work();
        Metrics.globalRegistry.getMeters().stream()
                .sorted(Comparator.comparing((Meter meter) -> meter.getId().toString()))
                .forEach(meter -> System.out.println(
                        meter.getId().getName() + meter.getId().getTags() + " "
                                + meter.measure().iterator().next().getValue()));
    }

    @Timed(
            value = "order.validate",
            extraTags = {"kind", "test"})
    void validate() {
        Burning.cpu(5_000_000);
    }

    private void fail() {
        try {
            failing();
        } catch (IllegalStateException expected) {
            System.out.println("thrown: " + expected.getMessage());
        }
    }

    @Timed
    void failing() {
        throw new IllegalStateException("the method's own");
    }

    /** All methods of this class are measured. */
    @Timed("whole.class")
    static final class WholeClass {
        void work() {
            Burning.cpu(1_000_000);
        }
    }
}
