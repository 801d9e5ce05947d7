// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

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
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Threads that start, read their times and end, as many of them as the system allows; and what they leave behind.
 *
 * <p>Arguments: the least number of threads, how many of them at once, the pairs of readings of each; and `gate` if the
 * program is to wait at the gate "churning" while a thread reads on.
 */
public final class SurroundingsProbe {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Pattern PERF_PAGE = Pattern.compile(Pattern.quote("anon_inode:[perf_event]"));
    private static final int OWN_CPU_MS = 20;
    private static final int PATIENCE_S = 60;
    /** The number of rounds of threads. A JVM opens and closes files of its own, but hardly in each round. */
    private static final int ROUNDS = 3;

    private static final boolean HAS_PROC = entries("task") > 0;
    private static final long STOLEN_NS = StolenTime.ns();
    private static final int FOREVER = Integer.MAX_VALUE;

    private final List<Readings> readings = new ArrayList<>();
    private final Queue<Integer> tids = new ConcurrentLinkedQueue<>(); // of threads that may not have ended yet
    private int refused;

    private SurroundingsProbe() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Boost.at("begin");
        SurroundingsProbe probe = new SurroundingsProbe();
        int threads = Integer.parseInt(arguments[0]);
        int atOnce = Integer.parseInt(arguments[1]);
        int pairs = Integer.parseInt(arguments[2]);
        probe.run(atOnce, atOnce, pairs); // things that exist only once: the library's files, the JVM's threads
        long perfPages = perfPages();
        long moreInEachRound = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long descriptors = entries("fd");
            probe.run(Math.max(atOnce, threads / ROUNDS), atOnce, pairs);
            moreInEachRound = Math.min(moreInEachRound, entries("fd") - descriptors);
        }
        if (arguments.length > 3) {
            probe.readUntilTheGateOpens();
        }
        Fact.print("refused", probe.refused);
        Fact.print("more.descriptorsInEachRound", moreInEachRound);
        Fact.print("more.perfPages", perfPages() - perfPages);
        Readings.printLaws(probe.readings);
        if (HAS_PROC) { // without it there is no account
            printOwn("own", Work.spin(OWN_CPU_MS));
        }
    }

    private void run(int threads, int atOnce, int pairs) throws InterruptedException {
        for (int started = 0; started < threads; started += atOnce) {
            List<Thread> batch = new ArrayList<>();
            CountDownLatch allAreThere = new CountDownLatch(1);
            for (int i = 0; i < atOnce; i++) {
                start(pairs, batch, allAreThere);
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

    private void start(int pairs, List<Thread> batch, CountDownLatch allAreThere) {
        Readings own = new Readings(pairs);
        Thread thread = new Thread(() -> {
            Parked.awaitUninterrupted(allAreThere);
            if (HAS_PROC) {
                tids.add(KernelAccount.tid());
            }
            own.run();
        });
        try {
            thread.start();
            readings.add(own);
            batch.add(thread);
        } catch (OutOfMemoryError noThread) {
            refused++;
        }
    }

    private void readUntilTheGateOpens() throws IOException, InterruptedException {
        Readings own = new Readings(FOREVER);
        Thread thread = new Thread(() -> {
            tids.add(KernelAccount.tid());
            own.run();
            printOwn("busy", KernelAccount.cpuNs());
        });
        thread.setDaemon(true);
        thread.start();
        Gate.await("churning");
        own.end();
        thread.join();
        readings.add(own);
        awaitEnds();
    }

    /** CPU time of this thread between two accounts of the kernel's, which may not count what was stolen meanwhile. */
    private static void printOwn(String who, long beforeNs) {
        Fact.print(who + ".before", beforeNs);
        Fact.print(who + ".cpu", THREADS.getCurrentThreadCpuTime());
        Fact.print(who + ".after", Work.spin(1));
        Fact.print(who + ".stolen", StolenTime.sinceNs(STOLEN_NS));
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
