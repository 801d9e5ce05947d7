// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmh;

import io.threadclock.CpuStopwatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Does a stopwatch cost more the deeper it is nested? An operation starts and stops all of {@code depth} stopwatches,
 * one within the other: the cost of one is the score ÷ depth.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StopwatchNesting {
    @Param({"1", "2", "4", "8", "16"})
    public int depth;

    private CpuStopwatch[] watches;

    @Setup
    public void create(LibraryBinding checked) {
        watches = new CpuStopwatch[depth];
        for (int i = 0; i < depth; i++) {
            watches[i] = new CpuStopwatch();
        }
    }

    @Benchmark
    public long libraryStopwatches() {
        return cpuTimeNsWithin(0);
    }

    /**
     * The time of all stopwatches from the given one inwards. Each call starts one, as a request that makes a request
     * does.
     */
    private long cpuTimeNsWithin(int outermost) {
        if (outermost == watches.length) {
            return 0;
        }
        watches[outermost].start();
        long innerNs = cpuTimeNsWithin(outermost + 1);
        return innerNs + watches[outermost].stop();
    }
}
