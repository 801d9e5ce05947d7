// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import com.sun.management.ThreadMXBean;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.TimesHolder;
import io.threadclock.bench.Judge.Law;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntFunction;
import one.profiler.AsyncProfiler;

/** Databases at work in a folder, while everybody reads everybody's times, threads come and go, and a profiler runs. */
final class SoakProgram {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long NOT_AVAILABLE = -1;
    private static final int WORKERS = 2;
    private static final int READINGS = 8;
    private static final int PLATFORM_AT_ONCE = 4;
    private static final int VIRTUAL_AT_ONCE = 8;
    private static final int YIELDS = 20;
    private static final String BY_LIBRARY = "by snapshot";
    private static final long PROFILED_MS = 500;
    private static final String[] PROFILER_EVENTS = {"ctimer", "itimer", "cpu"}; // the last by perf events
    private static final Judge JUDGE = new Judge();
    private static final OwnReader[] READERS = new OwnReader[WORKERS];
    private static final long[] IDS = new long[WORKERS];
    private static final ReentrantReadWriteLock STAGE = new ReentrantReadWriteLock();
    private static int profiles;
    /**
     * How often the agent has come or gone. ThreadMXBean's answers are only ordered as long as one clock gives them: in
     * an odd era that is threadclock's, in an even one the JDK's or both in turn.
     */
    private static volatile long era;

    private SoakProgram() {}

    /** Takes well under a second, and leaves no thread behind. */
    private interface Step {
        void take() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < WORKERS; i++) {
            Database database = Database.open(Files.createDirectories(Path.of(arguments[0], "database-" + i)));
            OwnReader reader = new OwnReader();
            READERS[i] = reader;
            IDS[i] = repeat("worker", 0, () -> {
                database.query();
                reader.read();
            });
        }
        readOthers("by id", i -> new long[] {THREADS.getThreadUserTime(IDS[i]), THREADS.getThreadCpuTime(IDS[i])});
        readOthers("by array", i -> new long[] {THREADS.getThreadUserTime(IDS)[i], THREADS.getThreadCpuTime(IDS)[i]});
        readOthers(BY_LIBRARY, SoakProgram::bySnapshot);
        repeat("profiler", 100_000_000, SoakProgram::profile);
        for (int i = 0; i < PLATFORM_AT_ONCE; i++) {
            repeat("churn", 2_000_000, SoakProgram::churn);
        }
        for (int i = 0; i < VIRTUAL_AT_ONCE && Runtime.version().feature() >= Options.OLDEST_WITH_VIRTUAL; i++) {
            repeat("virtual", 5_000_000, SoakProgram::churnVirtual);
        }
        Child.serve(SoakProgram::answer);
    }

    /** Returns the judge's counts, demotions, records. No thread works from "rest" to "go-on". */
    private static String answer(String request) {
        switch (request) {
            case "rest" -> STAGE.writeLock().lock();
            case "go-on" -> STAGE.writeLock().unlock();
            case "collect" -> System.gc();
            case "attached" -> era |= 1;
            case "detaching" -> era = (era | 1) + 1;
            default -> {}
        }
        var stats = ThreadClock.stats();
        return JUDGE.counts() + " " + stats.demotions() + " " + (stats.threads() + stats.threadsObserved());
    }

    /**
     * Starts a thread that takes steps, except while the write lock is held. Pauses leave CPUs to others. Returns its
     * id.
     */
    private static long repeat(String name, long pauseNs, Step step) {
        Runnable loop = () -> {
            while (true) {
                STAGE.readLock().lock();
                take(step);
                STAGE.readLock().unlock();
                LockSupport.parkNanos(pauseNs);
            }
        };
        Thread thread = new Thread(loop, name);
        thread.setDaemon(true);
        thread.start();
        return thread.getId();
    }

    private static void take(Step step) {
        try {
            step.take();
        } catch (Throwable thrown) {
            JUDGE.add(Law.EXCEPTION, Thread.currentThread().getName() + ": " + thrown);
        }
    }

    private static void readOthers(String way, IntFunction<long[]> userAndCpuNs) {
        repeat(way, 200_000, () -> {
            for (int i = 0; i < WORKERS; i++) {
                long[] floor = READERS[i].seen.floor();
                long eraBefore = era;
                long[] ns = userAndCpuNs.apply(i);
                JUDGE.readings.increment();
                JUDGE.check(Law.WRONG_ANSWER, way, -Math.min(ns[0], ns[1]));
                // The library's clock is threadclock's in every era.
                if (way.equals(BY_LIBRARY) || isOfThreadclock(eraBefore)) {
                    JUDGE.check(Law.USER_ABOVE_CPU, way, ns[0] - ns[1]);
                    READERS[i].seen.show(floor, ns[1], ns[0], way);
                }
            }
        });
    }

    private static long[] bySnapshot(int i) {
        var sample = ThreadsSnapshot.take().thread(IDS[i]).orElseThrow();
        JUDGE.check(Law.NO_SUM, BY_LIBRARY, Math.abs(sample.userTimeNs() + sample.systemTimeNs() - sample.cpuTimeNs()));
        return new long[] {sample.userTimeNs(), sample.cpuTimeNs()};
    }

    /** Whether threadclock has answered all that was read since then. */
    private static boolean isOfThreadclock(long eraBefore) {
        return eraBefore % 2 == 1 && era == eraBefore;
    }

    /** A thread starts, reads its times, and ends; after that others still ask for them. */
    private static void churn() throws InterruptedException {
        Thread thread = new Thread(() -> take(new OwnReader()::read), "churn");
        thread.start();
        thread.join();
        // The JVM may list it a moment longer than join() waits.
        while (THREADS.getThreadInfo(thread.getId()) != null) {
            Thread.yield();
        }
        long cpuNs = THREADS.getThreadCpuTime(thread.getId());
        expectNone("an ended thread", cpuNs, THREADS.getThreadUserTime(thread.getId()));
    }

    /** A virtual thread starts, asks for its times, which the kernel does not have, and ends. */
    private static void churnVirtual() throws Exception {
        Runnable ask = () -> take(SoakProgram::askAsVirtual);
        ((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, ask)).join();
    }

    private static void askAsVirtual() {
        for (int i = 0; i < YIELDS; i++) {
            expectNone("a virtual thread", THREADS.getCurrentThreadCpuTime(), THREADS.getCurrentThreadUserTime());
            Thread.yield();
        }
        try {
            JUDGE.add(Law.WRONG_ANSWER, "a virtual thread, by the library: " + ThreadClock.cpuTimeNs());
        } catch (UnsupportedOperationException asItShould) {
            JUDGE.readings.increment();
        }
    }

    private static void expectNone(String of, long cpuNs, long userNs) {
        JUDGE.readings.increment();
        if (cpuNs != NOT_AVAILABLE || userNs != NOT_AVAILABLE) {
            JUDGE.add(Law.WRONG_ANSWER, of + ": CPU time " + cpuNs + ", user time " + userNs);
        }
    }

    /** Interrupts the threads a thousand times a second, by one of its timers after the other. */
    private static void profile() throws Exception {
        String event = PROFILER_EVENTS[profiles++ % PROFILER_EVENTS.length];
        AsyncProfiler.getInstance().execute("start,event=" + event + ",interval=1ms");
        Thread.sleep(PROFILED_MS);
        AsyncProfiler.getInstance().execute("stop");
    }

    /** Reads the calling thread's times, through the library and through ThreadMXBean. Not thread-safe. */
    private static final class OwnReader {
        private final Judge.Seen seen = JUDGE.new Seen();
        private final Judge.Witness witness = JUDGE.new Witness();
        private final TimesHolder times = new TimesHolder();
        private final Judge.Sequence ofLibrary = JUDGE.new Sequence();
        private Judge.Sequence ofBean;
        private long eraOfBean;

        void read() {
            for (int i = 0; i < READINGS; i++) {
                readLibrary();
                readBean();
            }
        }

        private void readLibrary() {
            long[] floor = seen.floor();
            BareClocks.Look before = BareClocks.look();
            ThreadClock.read(times);
            BareClocks.Look after = BareClocks.look();
            witness.judge(before, times.cpuTimeNs(), after);
            ofLibrary.next("library", times.cpuTimeNs(), times.userTimeNs(), times.systemTimeNs());
            seen.show(floor, times.cpuTimeNs(), times.userTimeNs(), "the thread itself");
        }

        private void readBean() {
            long eraBefore = era;
            BareClocks.Look before = BareClocks.look();
            long userNs = THREADS.getCurrentThreadUserTime();
            long cpuNs = THREADS.getCurrentThreadCpuTime();
            BareClocks.Look after = BareClocks.look();
            if (!isOfThreadclock(eraBefore)) {
                JUDGE.readings.increment();
                JUDGE.check(Law.BELOW_KERNEL, "between eras", before.cpuNs() - cpuNs - Judge.BELOW_NS);
                JUDGE.check(Law.WRONG_ANSWER, "between eras", -userNs);
                return;
            }
            witness.judge(before, cpuNs, after);
            if (eraBefore != eraOfBean) {
                eraOfBean = eraBefore;
                ofBean = JUDGE.new Sequence();
            }
            ofBean.next("ThreadMXBean", userNs, cpuNs);
        }
    }
}
