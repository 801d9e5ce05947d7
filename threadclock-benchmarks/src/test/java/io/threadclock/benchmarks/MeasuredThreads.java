// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Neighbour;
import io.threadclock.benchmarks.program.Quantity;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Spread;
import java.nio.file.Path;

/** Made-up figures about all threads of a program: the same for all sizes and quantities. */
final class MeasuredThreads {
    private final Rounds<NeighbourReading> byId = new Rounds<>();
    private final Rounds<ArrayReading> arrays = new Rounds<>();
    private final Rounds<Lifecycle> lifecycles = new Rounds<>();
    private double attachMs = 40;

    MeasuredThreads reads(Loading loading, double ns) {
        for (Quantity quantity : Quantity.values()) {
            for (Neighbour neighbour : Neighbour.values()) {
                byId.add(new NeighbourReading(neighbour, quantity), loading, ns);
            }
            for (int threads : AllThreadsRun.ARRAY_SIZES) {
                arrays.add(new ArrayReading(threads, quantity), loading, ns);
            }
        }
        return this;
    }

    MeasuredThreads takes(Lifecycle lifecycle, Loading loading, double ns) {
        lifecycles.add(lifecycle, loading, ns);
        return this;
    }

    MeasuredThreads attachesInMs(double ms) {
        attachMs = ms;
        return this;
    }

    AllThreadsMeasurement on(String version) {
        Spread ms = Spread.of(attachMs);
        AttachMeasurement attach = new AttachMeasurement(ms, ms, ms);
        return new AllThreadsMeasurement(new Jdk(Path.of("/jdk"), version, ""), byId, arrays, lifecycles, attach);
    }
}
