// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.CpuStopwatch;
import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Prints what measured virtual threads read of themselves, what others read of them, and what their stacks and dumps
 * show. The argument is how often they read themselves for what that allocates.
 */
public final class MeasuredProbe {
    private static final long UNIT_MS = 5;

    private MeasuredProbe() {}

    public static void main(String[] arguments) throws Exception {
        Fact.print("available", ReflectedVirtualThreads.areAvailable());
        Fact.print("measurable", VirtualThreads.areMeasurable());
        Fact.print("explanation", VirtualThreads.explanation());
        Fact.print("platform", VirtualThreads.measure(new Thread(() -> {})));
        if (!ReflectedVirtualThreads.areAvailable()) {
            Fact.print("factory", Fact.answer(() -> VirtualThreads.factory().toString()));
            return;
        }
        printUnmeasured();
        printWays();
        if (VirtualThreads.areMeasurable()) {
            printStates();
            Fact.print("allocatedBytes", MeasuredAllocation.ofReadings(Integer.parseInt(arguments[0])));
            Fact.print("allocatedByAMount", MeasuredAllocation.ofAMount());
        }
    }

    private static void printUnmeasured() throws InterruptedException {
        Thread thread = ReflectedVirtualThreads.start(() -> {
            Fact.print("unmeasured.canRead", ThreadClock.canRead());
            Fact.print("unmeasured.read", Fact.kind(ThreadClock::cpuTimeNs));
            CpuStopwatch watch = new CpuStopwatch();
            Fact.print("unmeasured.lap", watch.start().lap());
            Fact.print("unmeasured.watch", watch.stop());
            Fact.print("unmeasured.isMeasured", watch.isMeasured());
            try {
                ThreadClock.read();
            } catch (UnsupportedOperationException refusal) {
                Fact.print("unmeasured.message", refusal.getMessage());
            }
        });
        thread.join();
        Fact.print("unmeasured.byOther", VirtualThreads.cpuTimeNs(thread));
        Fact.print("unmeasured.late", Fact.answer(() -> "" + VirtualThreads.measure(thread)));
    }

    private static void printWays() throws Exception {
        Thread made = VirtualThreads.factory().newThread(printing("factory"));
        made.start();
        made.join();
        Thread named = VirtualThreads.factory("orders-").newThread(printing("named"));
        Fact.print("named.name", named.getName());
        named.start();
        named.join();
        ExecutorService executor = VirtualThreads.executor();
        Future<?> done = executor.submit(printing("executor"));
        done.get();
        executor.shutdown();
        Thread unstarted = ReflectedVirtualThreads.unstarted(printing("measure"));
        Fact.print("measure.answer", VirtualThreads.measure(unstarted));
        Fact.print("measure.again", VirtualThreads.measure(unstarted));
        unstarted.start();
        unstarted.join();
        ReflectedVirtualThreads.start(() -> {
                    Fact.print("current.answer", VirtualThreads.measureCurrent());
                    printing("current").run();
                })
                .join();
        ReflectedVirtualThreads.start(() -> {
                    Fact.print("pinned.answer", Pinned.ANSWER);
                    Fact.print("pinned.canRead", ThreadClock.canRead());
                    Thread.yield();
                    Fact.print("pinned.canReadLater", ThreadClock.canRead());
                })
                .join();
        Fact.print("platform.current", VirtualThreads.measureCurrent());
        Thread platform = VirtualThreads.factory(Thread::new).newThread(printing("platformFactory"));
        platform.start();
        platform.join();
    }

    /** A thread that initializes a class is pinned to its carrier. */
    private static final class Pinned {
        static final boolean ANSWER = VirtualThreads.measureCurrent();
    }

    /** Prints that a thread counts its work, over mounts of each kind, for every way to read it. */
    private static Runnable printing(String way) {
        return () -> {
            Fact.print(way + ".canRead", ThreadClock.canRead());
            CpuTimes before = ThreadClock.read();
            CpuStopwatch watch = new CpuStopwatch().start();
            Work.spin(UNIT_MS);
            Thread.yield();
            Work.spin(UNIT_MS);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            Work.spin(UNIT_MS);
            long watchNs = watch.stop();
            CpuTimes after = ThreadClock.read();
            Fact.print(way + ".watchNs", watchNs);
            Fact.print(way + ".isWithin", watchNs <= after.cpuTimeNs() - before.cpuTimeNs());
            Fact.print(way + ".splitIsWhole", watch.userTimeNs() + watch.systemTimeNs() == watchNs);
            long userNs = ThreadClock.userTimeNs();
            long systemNs = ThreadClock.systemTimeNs();
            long cpuNs = ThreadClock.cpuTimeNs();
            boolean isOrdered = after.userTimeNs() <= userNs && after.systemTimeNs() <= systemNs;
            Fact.print(way + ".isOrdered", isOrdered && userNs + systemNs <= cpuNs);
        };
    }

    /** Another thread reads: before the start, while it runs, while it is parked, and when it has ended. */
    private static void printStates() throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch mayPark = new CountDownLatch(1);
        Thread thread = VirtualThreads.factory().newThread(() -> {
            Work.spin(UNIT_MS);
            runs.countDown();
            while (mayPark.getCount() > 0) {
                Work.spin(1);
            }
            LockSupport.park();
        });
        thread.setName("dumped");
        Fact.print("new", VirtualThreads.cpuTimeNs(thread));
        thread.start();
        runs.await();
        long runningNs = VirtualThreads.cpuTimeNs(thread);
        mayPark.countDown();
        while (thread.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        long parkedNs = VirtualThreads.cpuTimeNs(thread);
        Fact.print("stack", Arrays.toString(thread.getStackTrace()));
        Fact.print("dump.json", Fact.answer(() -> threadDump("JSON")));
        Fact.print("dump.text", Fact.answer(() -> threadDump("TEXT_PLAIN")));
        LockSupport.unpark(thread);
        thread.join();
        CpuTimes ended = VirtualThreads.read(thread).get();
        Fact.print("runningNs", runningNs);
        Fact.print("states", runningNs <= parkedNs && parkedNs <= ended.cpuTimeNs());
        Fact.print("ended", ended.equals(VirtualThreads.read(thread).get()));
    }

    /** The dump that jcmd's Thread.dump_to_file writes. */
    private static String threadDump(String format) throws Exception {
        Path folder = Files.createTempDirectory("dump");
        Path file = folder.resolve("threads");
        Class<?> diagnostics = Class.forName("com.sun.management.HotSpotDiagnosticMXBean");
        Class<?> formats = Class.forName("com.sun.management.HotSpotDiagnosticMXBean$ThreadDumpFormat");
        Object bean = ManagementFactory.class
                .getMethod("getPlatformMXBean", Class.class)
                .invoke(null, diagnostics);
        diagnostics
                .getMethod("dumpThreads", String.class, formats)
                .invoke(bean, file.toString(), formats.getField(format).get(null));
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        Files.delete(file);
        Files.delete(folder);
        return (text.contains("\"dumped\"") ? "has it" : "lacks it")
                + (text.contains("VirtualClock") ? ", and ours" : "");
    }
}
