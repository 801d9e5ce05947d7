// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmh;

import io.threadclock.CpuStopwatch;
import io.threadclock.ThreadClock;
import io.threadclock.TimesHolder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Which read path of the library allocates? To be run with JMH's gc profiler: only {@link #control} may. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ReadAllocation {
    private final TimesHolder holder = new TimesHolder();
    private final CpuStopwatch watch = new CpuStopwatch();

    @Setup
    public void check(LibraryBinding checked) {}

    @Benchmark
    public long cpuTimeNs() {
        return ThreadClock.cpuTimeNs();
    }

    @Benchmark
    public long userTimeNs() {
        return ThreadClock.userTimeNs();
    }

    @Benchmark
    public long systemTimeNs() {
        return ThreadClock.systemTimeNs();
    }

    @Benchmark
    public long readIntoHolder() {
        ThreadClock.read(holder);
        return holder.userTimeNs();
    }

    @Benchmark
    public long stopwatchStartStop() {
        watch.start();
        return watch.stop();
    }

    @Benchmark
    public long stopwatchLap(RunningStopwatch running) {
        return running.watch.lap();
    }

    /** Allocates by contract. A measurement that does not show it is void. */
    @Benchmark
    public Object control() {
        return ThreadClock.read();
    }

    /** The thread that takes the laps starts it. */
    @State(Scope.Thread)
    public static class RunningStopwatch {
        final CpuStopwatch watch = new CpuStopwatch();

        @Setup(Level.Iteration)
        public void start() {
            watch.start();
        }

        @TearDown(Level.Iteration)
        public void stop() {
            watch.stop();
        }
    }
}
