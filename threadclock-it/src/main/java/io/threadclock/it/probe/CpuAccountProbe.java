// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Has threads, of the kind that the argument names, enter and close parts of one account again and again, while others
 * read it. Prints how often a reading was less than an earlier one, and what was used; and what a part allocates. The
 * second argument is the number of parts of each thread.
 */
public final class CpuAccountProbe {
    private static final int WORKERS = 4;
    private static final int READERS = 2;
    private static final int NESTED_EACH = 8;
    private static final int ALLOCATIONS = 100_000;
    private static final int ROUNDS = 5;

    private final int parts;
    private final CpuAccount account = new CpuAccount();
    private final CpuAccount inner = new CpuAccount();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicLong insideNs = new AtomicLong();
    private final AtomicLong aroundNs = new AtomicLong();
    private final AtomicLong breaches = new AtomicLong();
    private final AtomicReference<String> firstBreach = new AtomicReference<>("none");

    private CpuAccountProbe(int parts) {
        this.parts = parts;
    }

    public static void main(String[] arguments) throws InterruptedException {
        ThreadFactory factory = arguments[0].equals("virtual") ? VirtualThreads.factory() : Thread::new;
        new CpuAccountProbe(Integer.parseInt(arguments[1])).print(factory);
        Fact.print("bytes", bytesOfAPart());
    }

    private void print(ThreadFactory factory) throws InterruptedException {
        List<Thread> readers = start(READERS, Thread::new, this::readAll);
        List<Thread> workers = start(WORKERS, factory, this::work);
        for (Thread worker : workers) {
            worker.join();
        }
        isOver.set(true);
        for (Thread reader : readers) {
            reader.join();
        }
        AccountUsage usage = account.read();
        Fact.print("breaches", breaches);
        Fact.print("firstBreach", firstBreach);
        Fact.print("parts", usage.parts());
        Fact.print("innerParts", inner.read().parts());
        Fact.print("unmeasured", usage.unmeasuredParts());
        Fact.print("threads", usage.threads());
        Fact.print("isInside", insideNs.get() <= usage.cpuTimeNs());
        Fact.print("isAround", usage.cpuTimeNs() <= aroundNs.get());
        Fact.print("isInOuter", inner.read().cpuTimeNs() <= usage.cpuTimeNs());
        Fact.print("rest", usage.cpuTimeNs() - usage.userTimeNs() - usage.systemTimeNs());
    }

    private static List<Thread> start(int count, ThreadFactory factory, Runnable work) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(factory.newThread(work));
        }
        threads.forEach(Thread::start);
        return threads;
    }

    @SuppressWarnings("try")
    private void work() {
        for (int i = 0; i < parts; i++) {
            long beforeNs = ThreadClock.cpuTimeNs();
            try (CpuAccount.Part part = account.enter()) {
                long beginNs = ThreadClock.cpuTimeNs();
                if (i % NESTED_EACH == 0) {
                    nest();
                }
                insideNs.addAndGet(ThreadClock.cpuTimeNs() - beginNs);
            }
            aroundNs.addAndGet(ThreadClock.cpuTimeNs() - beforeNs);
        }
    }

    @SuppressWarnings("try")
    private void nest() {
        try (CpuAccount.Part part = inner.enter();
                CpuAccount.Part again = account.enter()) {
            Thread.yield();
        }
    }

    private void readAll() {
        AccountUsage last = account.read();
        while (!isOver.get()) {
            AccountUsage next = account.read();
            boolean isBreach = next.cpuTimeNs() < last.cpuTimeNs()
                    || next.userTimeNs() < last.userTimeNs()
                    || next.systemTimeNs() < last.systemTimeNs()
                    || next.wallTimeNs() < last.wallTimeNs()
                    || next.wallTimeNs() < next.cpuTimeNs()
                    || next.runDelayNs() < last.runDelayNs() && next.runDelayNs() >= 0
                    || next.notRunningNs() < last.notRunningNs() && next.notRunningNs() >= 0
                    || next.cpuTimeNs() + next.runDelayNs() + next.notRunningNs() > next.wallTimeNs()
                    || next.parts() < last.parts()
                    || next.threads() < last.threads();
            if (isBreach) {
                breaches.incrementAndGet();
                firstBreach.compareAndSet("none", last + " and then " + next);
            }
            last = next;
        }
    }

    /** Takes the least of some rounds, because the JVM itself may allocate once. */
    private static long bytesOfAPart() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long threadId = ThreadIdProbe.ownId();
        CpuAccount kept = new CpuAccount();
        long leastBytes = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long beforeBytes = threads.getThreadAllocatedBytes(threadId);
            for (int i = 0; i < ALLOCATIONS; i++) {
                kept.enter().close();
            }
            leastBytes = Math.min(leastBytes, threads.getThreadAllocatedBytes(threadId) - beforeBytes);
        }
        return leastBytes / ALLOCATIONS;
    }
}
