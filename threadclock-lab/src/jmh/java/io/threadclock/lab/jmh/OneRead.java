// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmh;

import io.threadclock.CpuAccount;
import io.threadclock.CpuStopwatch;
import io.threadclock.ThreadClock;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures one reading of the calling thread's time. The options of the JVM say whose clock ThreadMXBean has, and
 * by which binding the library calls.
 */
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OneRead {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @Benchmark
    public void empty() {}

    @Benchmark
    public long emptyJniCall() {
        return BareClocks.nothing();
    }

    @Benchmark
    public long systemNanoTime() {
        return System.nanoTime();
    }

    @Benchmark
    public long rdtsc() {
        return BareClocks.counter();
    }

    @Benchmark
    public long rdtscAsUserTime() {
        return BareClocks.counterAsUserTime();
    }

    @Benchmark
    public long pid0ClockId(UserClocks clocks) {
        return BareClocks.clockNs(clocks.pid0);
    }

    @Benchmark
    public long ownTidClockId(UserClocks clocks) {
        return BareClocks.clockNs(clocks.ownTid);
    }

    @Benchmark
    public long threadMXBeanUserTime() {
        return THREADS.getCurrentThreadUserTime();
    }

    @Benchmark
    public long threadMXBeanCpuTime() {
        return THREADS.getCurrentThreadCpuTime();
    }

    @Benchmark
    public long libraryUserTime(LibraryBinding checked) {
        return ThreadClock.userTimeNs();
    }

    @Benchmark
    public long libraryStopwatch(Stopwatch stopwatch) {
        stopwatch.watch.start();
        return stopwatch.watch.stop();
    }

    @Benchmark
    public void libraryPart(Account one) {
        one.account.enter().close();
    }

    @Benchmark
    public void libraryPartWithBytes(Account one) {
        one.counting.enter().close();
    }

    /** Clockids of the calling thread's user clock. */
    @State(Scope.Thread)
    public static class UserClocks {
        int pid0;
        int ownTid;

        @Setup(Level.Iteration)
        public void find() {
            pid0 = BareClocks.pid0UserClockId();
            ownTid = BareClocks.ownTidUserClockId();
        }
    }

    /** There is one for each thread. */
    @State(Scope.Thread)
    public static class Stopwatch {
        final CpuStopwatch watch = new CpuStopwatch();

        @Setup
        public void check(LibraryBinding checked) {}
    }

    /** There is one for all threads. */
    @State(Scope.Benchmark)
    public static class Account {
        final CpuAccount account = new CpuAccount();
        final CpuAccount counting = CpuAccount.withAllocatedBytes();

        @Setup
        public void check(LibraryBinding checked) {}
    }
}
