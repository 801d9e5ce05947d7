// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.IntervalUsage;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadUsage;
import io.threadclock.ThreadsSnapshot;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Snapshots of this JVM's threads, one of which has done some work and waits, and the difference of two. */
public final class SnapshotProbe {
    private static final long BUSY_MS = 60;

    private SnapshotProbe() {}

    public static void main(String[] arguments) throws InterruptedException {
        long beginNs = System.nanoTime();
        ThreadsSnapshot empty = ThreadsSnapshot.take();
        Parked leaving = new Parked(() -> Spin.forMs(1));
        long endedId = leaving.id();
        try (Parked parked = new Parked(SnapshotProbe::work)) {
            ThreadsSnapshot before = onceAtRest(parked);
            printThreads(before);
            printSample("parked", before.thread(parked.id()));
            printSample("own", before.thread(ThreadIds.ownId()));
            printUsage("started", before.diff(empty), parked.id());
            leaving.close();
            Spin.forMs(BUSY_MS);
            ThreadsSnapshot after = ThreadsSnapshot.take();
            IntervalUsage usage = after.diff(before);
            Fact.print("ended", after.thread(endedId).isPresent());
            printUsage("idle", usage, parked.id());
            printUsage("busy", usage, ThreadIds.ownId());
            printSums(usage);
            Fact.print("wallAround", System.nanoTime() - beginNs);
        }
    }

    private static void work() {
        Thread.currentThread().setName("parked");
        Spin.forMs(BUSY_MS);
    }

    /**
     * Takes a snapshot when the thread waits, in the JVM and in the kernel, so that it has not run since the last one.
     */
    private static ThreadsSnapshot onceAtRest(Parked parked) throws InterruptedException {
        ThreadsSnapshot last = ThreadsSnapshot.take();
        while (true) {
            Thread.sleep(1);
            boolean isAsleep = KernelAccount.isAsleep(parked.tid());
            ThreadsSnapshot now = ThreadsSnapshot.take();
            ThreadSample sample = now.thread(parked.id()).get();
            if (isAsleep
                    && sample.state() == Thread.State.WAITING
                    && sample.cpuTimeNs() == last.thread(parked.id()).get().cpuTimeNs()) {
                return now;
            }
            last = now;
        }
    }

    /** Compares with the JDK's own list, which is taken afterwards; nothing starts or ends here meanwhile. */
    private static void printThreads(ThreadsSnapshot times) {
        Fact.print(
                "ids",
                times.threads().stream().map(ThreadSample::threadId).collect(Collectors.toCollection(TreeSet::new)));
        Fact.print(
                "idsOfTheJdk",
                Arrays.stream(ManagementFactory.getThreadMXBean().getAllThreadIds())
                        .boxed()
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static void printSample(String name, Optional<ThreadSample> found) {
        ThreadSample sample = found.orElseThrow(() -> new IllegalStateException(name + " is not in the snapshot"));
        Fact.print(name + ".name", sample.name());
        Fact.print(name + ".state", sample.state());
        Fact.print(name + ".cpu", sample.cpuTimeNs());
        Fact.print(name + ".user", sample.userTimeNs());
        Fact.print(name + ".system", sample.systemTimeNs());
    }

    private static void printUsage(String name, IntervalUsage interval, long threadId) {
        ThreadUsage usage = interval.threads().stream()
                .filter(one -> one.threadId() == threadId)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(name + " is not in the difference"));
        Fact.print(name + ".usage", usage.cpuTimeNs());
        Fact.print(name + ".percent", Math.round(100 * usage.usageRatio()));
    }

    private static void printSums(IntervalUsage usage) {
        Fact.print("sum", usage.cpuTimeNs());
        Fact.print("sumOfParts", usage.userTimeNs() + usage.systemTimeNs());
        Fact.print(
                "sumOfThreads",
                usage.threads().stream().mapToLong(ThreadUsage::cpuTimeNs).sum());
        Fact.print("wall", usage.wallTimeNs());
    }
}
