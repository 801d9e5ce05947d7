// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;

/**
 * Threads that start, read their times and end, as many of them as the system allows: their times are right, and they
 * leave nothing behind. Properties say how many threads at least, how many at once, and how many pairs of readings by
 * each.
 */
public final class SurroundingsLaws {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Pattern PERF_PAGE = Pattern.compile(Pattern.quote("anon_inode:[perf_event]"));
    private static final int COUNT = Integer.getInteger("threadclock.it.threads");
    private static final int AT_ONCE = Integer.getInteger("threadclock.it.atOnce");
    private static final int PAIRS = Integer.getInteger("threadclock.it.pairs");
    private static final int OWN_CPU_MS = 20;
    /** The account is late by up to a clock tick; the rest is for the other readings. */
    private static final long ACCOUNT_SLACK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Time that a hypervisor takes is counted up to the end of a window, here that of the thread that reads on. */
    private static final long LONGEST_WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int PATIENCE_S = 60;
    /** The number of rounds of threads. A JVM opens and closes files of its own, but hardly in each round. */
    private static final int ROUNDS = 3;

    private static final boolean HAS_PROC = entries("task") > 0;
    private static final long STOLEN_NS = StolenTime.ns();
    private static final int FOREVER = Integer.MAX_VALUE;

    private final Readings.Laws laws = new Readings.Laws();
    private final Queue<Integer> tids = new ConcurrentLinkedQueue<>(); // of threads that may not have ended yet
    private int refused;

    @BeforeAll
    static void begin() {
        Boost.at("begin");
    }

    /** For a stock JDK, whose times may break the laws. */
    void run() throws InterruptedException {
        run(AT_ONCE);
    }

    void areRight() throws InterruptedException {
        run(AT_ONCE); // things that exist only once: the library's files, the JVM's threads
        long perfPages = perfPages();
        long moreInEachRound = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long descriptors = entries("fd");
            run(Math.max(AT_ONCE, COUNT / ROUNDS));
            moreInEachRound = Math.min(moreInEachRound, entries("fd") - descriptors);
        }
        long perfPagesLeft = perfPages() - perfPages; // before this thread, which lives, has one
        laws.assertAll();
        if (HAS_PROC) { // without it there is no account
            assertThatKernelAgrees("own", Work.spin(OWN_CPU_MS), Amount.isLittle());
        }
        if (Amount.isLittle()) {
            return; // what follows depends on what else the JVM opens
        }
        assertThat(moreInEachRound)
                .as("files that each round of threads has left open, at the least")
                .isLessThanOrEqualTo(0);
        assertThat(perfPagesLeft).as("perf pages that ended threads have left").isLessThanOrEqualTo(0);
    }

    void areRightThoughSomeAreRefused() throws InterruptedException {
        areRight();
        assertThat(refused).as("threads that were refused").isPositive();
    }

    void areRightWhileOneReadsOn() throws Exception {
        Readings own = new Readings(laws, FOREVER);
        FutureTask<Void> reading = new FutureTask<>(() -> {
            own.run();
            assertThatKernelAgrees("busy", KernelAccount.cpuNs(), false);
            return null;
        });
        Thread thread = new Thread(reading);
        thread.setDaemon(true);
        thread.start();
        Gate.await("churning");
        own.end();
        reading.get();
        areRight();
    }

    /**
     * CPU time of this thread between two accounts of the kernel's, which may not count what was stolen meanwhile; with
     * {@code beforeOnly} not the one after, which depends on other programs.
     */
    private static void assertThatKernelAgrees(String who, long beforeNs, boolean beforeOnly) {
        long cpuNs = THREADS.getCurrentThreadCpuTime();
        long afterNs = Work.spin(1);
        long stolenNs = Math.min(StolenTime.sinceNs(STOLEN_NS), LONGEST_WINDOW_NS);
        assertThat(cpuNs)
                .as("%s: CPU time in ns, between the kernel's accounts before and after", who)
                .isBetween(beforeNs, beforeOnly ? Long.MAX_VALUE : afterNs + stolenNs + ACCOUNT_SLACK_NS);
    }

    private void run(int threads) throws InterruptedException {
        for (int started = 0; started < threads; started += AT_ONCE) {
            List<Thread> batch = new ArrayList<>();
            CountDownLatch allAreThere = new CountDownLatch(1);
            for (int i = 0; i < AT_ONCE; i++) {
                start(batch, allAreThere);
            }
            allAreThere.countDown();
            for (Thread thread : batch) {
                thread.join();
            }
        }
        awaitEnds();
    }

    /** join() returns before the kernel's thread has ended, and its things disappear with it. */
    private void awaitEnds() throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        for (Integer tid = tids.poll(); tid != null; tid = tids.poll()) {
            while (Files.exists(Paths.get("/proc/self/task/" + tid)) && System.nanoTime() - endNs < 0) {
                Thread.sleep(1);
            }
        }
    }

    private void start(List<Thread> batch, CountDownLatch allAreThere) {
        Readings own = new Readings(laws, PAIRS);
        Thread thread = new Thread(() -> {
            Parked.awaitUninterrupted(allAreThere);
            if (HAS_PROC) {
                tids.add(KernelAccount.tid());
            }
            own.run();
        });
        try {
            thread.start();
            batch.add(thread);
        } catch (OutOfMemoryError noThread) {
            refused++;
        }
    }

    private static long entries(String folder) {
        String[] names = new File("/proc/self/" + folder).list();
        return names == null ? 0 : names.length;
    }

    private static long perfPages() {
        try {
            byte[] maps = Files.readAllBytes(Paths.get("/proc/self/maps"));
            return PERF_PAGE.split(new String(maps, StandardCharsets.UTF_8), -1).length - 1;
        } catch (IOException noProc) {
            return 0;
        }
    }
}
