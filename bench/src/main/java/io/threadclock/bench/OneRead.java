// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import com.sun.management.ThreadMXBean;
import io.threadclock.CostsByKey;
import io.threadclock.CpuAccount;
import io.threadclock.CpuStopwatch;
import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;
import io.threadclock.TimesHolder;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** One reading of the own thread's time, or of another's by its id, or of a thousand, and what it is compared with. */
public class OneRead extends Measured {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final TimesHolder holder = new TimesHolder();
    private final CpuStopwatch watch = new CpuStopwatch();
    private final CpuAccount account = new CpuAccount();
    private final CostsByKey<String> costs = new CostsByKey<>(100);
    private final String[] keys =
            Stream.iterate("k", key -> key + "k").limit(64).toArray(String[]::new);
    private int next;
    private final long asleep = start(() -> new Semaphore(0).acquireUninterruptibly());

    @Benchmark
    public void empty() {}

    @Benchmark
    public long rdtsc() {
        return BareClocks.counter();
    }

    @Benchmark
    public long systemNanoTime() {
        return System.nanoTime();
    }

    @Benchmark
    public long userTime() {
        return THREADS.getCurrentThreadUserTime();
    }

    @Benchmark
    public long cpuTime() {
        return THREADS.getCurrentThreadCpuTime();
    }

    @Benchmark
    @BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
    @Threads(16) // as in the benchmark by which the JDK's own change was judged
    @Measurement(iterations = 1, time = 300, timeUnit = TimeUnit.MILLISECONDS)
    public long userTimeOn16() {
        return THREADS.getCurrentThreadUserTime();
    }

    @Benchmark
    public long libraryUserTime() {
        return ThreadClock.userTimeNs();
    }

    @Benchmark
    public long libraryStopwatch() {
        watch.start();
        return watch.stop();
    }

    @Benchmark
    @Warmup(iterations = 15, time = 50, timeUnit = TimeUnit.MILLISECONDS) // it is compiled in several steps
    public void libraryPart() {
        account.enter().close();
    }

    @Benchmark
    @Warmup(iterations = 15, time = 50, timeUnit = TimeUnit.MILLISECONDS)
    public void libraryPartByKey() {
        costs.enter(keys[0]).close();
    }

    /** More keys than a thread remembers. */
    @Benchmark
    @Warmup(iterations = 15, time = 50, timeUnit = TimeUnit.MILLISECONDS)
    public void libraryPartByManyKeys() {
        costs.enter(keys[next++ % keys.length]).close();
    }

    /** All read paths: by JMH's gc profiler, none may allocate. */
    @Benchmark
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public long libraryEveryRead() {
        watch.start();
        ThreadClock.read(holder);
        long ns = ThreadClock.cpuTimeNs() + ThreadClock.userTimeNs() + ThreadClock.systemTimeNs() + holder.userTimeNs();
        return ns + watch.lap() + watch.stop();
    }

    @Benchmark
    public CpuTimes libraryObject() {
        return ThreadClock.read();
    }

    @Benchmark
    public long userTimeOfSleeper() {
        return THREADS.getThreadUserTime(asleep);
    }

    @Benchmark
    public long cpuTimeOfSleeper() {
        return THREADS.getThreadCpuTime(asleep);
    }

    @Benchmark
    public long userTimeOfBusy(Busy busy) {
        return THREADS.getThreadUserTime(busy.id);
    }

    @Benchmark
    public long userTimeOfReader(Reader reader) {
        return THREADS.getThreadUserTime(reader.id);
    }

    @Benchmark
    public long cpuTimeOfBusy(Busy busy) {
        return THREADS.getThreadCpuTime(busy.id);
    }

    @Benchmark
    @OperationsPerInvocation(Dozing.THREADS)
    public long[] userTimeOf1000(Dozing dozing) {
        return THREADS.getThreadUserTime(dozing.ids);
    }

    /** Does it again and again. Returns the thread's id. */
    private static long start(Runnable task) {
        Thread thread = new Thread(() -> Stream.generate(() -> task).forEach(Runnable::run));
        thread.setDaemon(true);
        thread.start();
        return thread.getId();
    }

    @State(Scope.Benchmark)
    public static class Busy {
        final long id = start(Thread::onSpinWait);
    }

    @State(Scope.Benchmark)
    public static class Reader {
        final long id = start(THREADS::getCurrentThreadUserTime);
    }

    /** Before each call one thread in fifty runs a little, as in a program most of whose threads wait. */
    @State(Scope.Benchmark)
    public static class Dozing {
        static final int THREADS = 1000;

        private final Semaphore done = new Semaphore(0);
        private final Semaphore[] wakes =
                Stream.generate(() -> new Semaphore(0)).limit(THREADS).toArray(Semaphore[]::new);
        private final long[] ids = Stream.of(wakes)
                .mapToLong(wake -> start(() -> {
                    wake.acquireUninterruptibly();
                    done.release();
                }))
                .toArray();
        private int next;

        @Setup(Level.Invocation)
        public void wakeSome() {
            for (int i = 0; i < THREADS / 50; i++) {
                wakes[next++ % THREADS].release();
            }
            done.acquireUninterruptibly(THREADS / 50);
        }
    }
}
