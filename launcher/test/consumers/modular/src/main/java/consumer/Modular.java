// SPDX-License-Identifier: Apache-2.0
package consumer;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.threadclock.ThreadClock;
import io.threadclock.jfr.CpuSpan;
import io.threadclock.micrometer.ThreadClockMetrics;

/** Tells in which modules the clock and its events are, and whether it has meters, if their module is here. */
public final class Modular {
    private static final class Meters {
        static boolean areBound() {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            new ThreadClockMetrics().bindTo(registry);
            return registry.find("threadclock.process.cpu.time").meter() != null;
        }
    }

    private Modular() {}

    public static void main(String[] none) {
        boolean hasMeters = ModuleLayer.boot().findModule("io.threadclock.micrometer").isPresent();
        System.out.println(ThreadClock.isSupported() + " "
                + (ThreadClock.read().cpuTimeNs() > 0) + " "
                + ThreadClock.class.getModule().getName() + " "
                + CpuSpan.class.getModule().getName() + " "
                + (hasMeters && Meters.areBound()));
    }
}
