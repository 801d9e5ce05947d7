// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.IntervalUsage;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadUsage;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.VirtualThreads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;

/** Snapshots of measured virtual threads that work in two rounds, and of others. They want a single carrier. */
public final class VirtualSnapshotProbe {
    private static final int OF_EACH_WAY = 4;
    private static final int MORE_THAN_ALL = 100;
    private static final long UNIT_MS = 5;

    /** Work so much longer than the others' that what else the first of those does cannot make up for it. */
    private static final long LONG_MS = 100;

    private final CountDownLatch first = new CountDownLatch(2 * OF_EACH_WAY);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final CountDownLatch second = new CountDownLatch(2 * OF_EACH_WAY);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    private VirtualSnapshotProbe() {}

    public static void main(String[] arguments) throws Exception {
        new VirtualSnapshotProbe().print();
    }

    private void print() throws Exception {
        if (!VirtualThreads.areMeasurable()) {
            Fact.print("none", ThreadsSnapshot.take(MORE_THAN_ALL).virtualThreads());
            return;
        }
        Work.spin(UNIT_MS); // loads its classes here, and not in the first virtual thread
        List<Thread> started = new ArrayList<>();
        ExecutorService executor = VirtualThreads.executor();
        for (int i = 0; i < OF_EACH_WAY; i++) {
            started.add(VirtualThreads.factory().newThread(work("made-" + i, UNIT_MS)));
            started.get(i).start();
            executor.execute(work("submitted-" + i, LONG_MS));
            ReflectedVirtualThreads.start(() -> Parked.awaitUninterrupted(mayEnd));
        }
        first.await();
        ThreadsSnapshot before = ThreadsSnapshot.take(MORE_THAN_ALL);
        mayGoOn.countDown();
        second.await();
        ThreadsSnapshot after = ThreadsSnapshot.take(MORE_THAN_ALL);
        printAll(before, after);
        printSome(ThreadsSnapshot.take(OF_EACH_WAY));
        mayEnd.countDown();
        executor.shutdown();
        for (Thread thread : started) {
            thread.join();
        }
        Fact.print(
                "ended",
                ThreadsSnapshot.take(MORE_THAN_ALL).virtualThreads().stream()
                        .noneMatch(sample -> sample.name().startsWith("made-")));
    }

    private Runnable work(String name, long cpuMs) {
        return () -> {
            Thread.currentThread().setName(name);
            Work.spin(cpuMs);
            first.countDown();
            Parked.awaitUninterrupted(mayGoOn);
            Work.spin(UNIT_MS);
            second.countDown();
            Parked.awaitUninterrupted(mayEnd);
        };
    }

    private static void printAll(ThreadsSnapshot before, ThreadsSnapshot after) {
        IntervalUsage usage = after.diff(before);
        Fact.print("names", names(after));
        Fact.print(
                "tids",
                after.virtualThreads().stream().mapToInt(ThreadSample::tid).sum());
        Fact.print("isSorted", isSorted(after));
        Fact.print("isFoundById", after.virtualThreads().stream().allMatch(sample -> after.thread(sample.threadId())
                .isPresent()));
        Fact.print(
                "leastNs",
                usage.virtualThreads().stream()
                        .mapToLong(ThreadUsage::cpuTimeNs)
                        .min()
                        .orElse(-1));
        long virtualNs = usage.virtualThreads().stream()
                .mapToLong(ThreadUsage::cpuTimeNs)
                .sum();
        Fact.print("isInTheCarriers", virtualNs <= usage.cpuTimeNs());
    }

    private static void printSome(ThreadsSnapshot some) {
        Fact.print("someNames", names(some));
    }

    private static String names(ThreadsSnapshot times) {
        return times.virtualThreads().stream().map(ThreadSample::name).sorted().collect(Collectors.joining(" "));
    }

    private static boolean isSorted(ThreadsSnapshot times) {
        List<ThreadSample> sorted = new ArrayList<>(times.virtualThreads());
        sorted.sort(Comparator.comparingLong(ThreadSample::cpuTimeNs).reversed());
        return sorted.equals(times.virtualThreads());
    }
}
