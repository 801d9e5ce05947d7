// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many threads enter and close parts of one account at once, while others read it. */
@InChild
public class CpuAccountIT {
    private static final int WORKERS = 4;
    private static final int PARTS = Amount.orLittle(20_000, 2_000); // of each worker
    private static final int READERS = 2;
    private static final int NESTED_EACH = 8;
    private static final int ALLOCATIONS = 100_000;
    private static final int ROUNDS = 5;
    /** An object of three references and a header. */
    private static final long BYTES_OF_A_PART = 24;

    /** Does the work of the first test alone. */
    public static void main(String[] arguments) throws InterruptedException {
        new CpuAccountIT().areOneSequenceWhilePlatformThreadsUseThem();
    }

    @Test
    @Tag("long")
    void areOneSequenceWhilePlatformThreadsUseThem() throws InterruptedException {
        new Crowd().assertLaws(Thread::new);
    }

    @Test
    void areOneSequenceWhileVirtualThreadsUseThem() throws InterruptedException {
        assumeTrue(ReflectedVirtualThreads.areAvailable(), "no virtual threads");
        new Crowd().assertLaws(VirtualThreads.factory());
    }

    /** The least of some rounds, because the JVM itself may allocate once. */
    @Test
    void allocateNothingButTheirParts() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long threadId = ThreadIds.ownId();
        CpuAccount account = new CpuAccount();
        long leastBytes = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long beforeBytes = threads.getThreadAllocatedBytes(threadId);
            for (int i = 0; i < ALLOCATIONS; i++) {
                account.enter().close();
            }
            leastBytes = Math.min(leastBytes, threads.getThreadAllocatedBytes(threadId) - beforeBytes);
        }
        assertThat(leastBytes / ALLOCATIONS)
                .as("bytes that enter() and close() allocate")
                .isBetween(0L, BYTES_OF_A_PART);
    }

    private static final class Crowd {
        private final CpuAccount account = new CpuAccount();
        private final CpuAccount inner = new CpuAccount();
        private final AtomicLong insideNs = new AtomicLong();
        private final AtomicLong aroundNs = new AtomicLong();
        private final AtomicReference<String> firstBreach = new AtomicReference<>();
        private volatile boolean isOver;

        void assertLaws(ThreadFactory factory) throws InterruptedException {
            List<Thread> readers = start(READERS, Thread::new, this::readAll);
            List<Thread> workers = start(WORKERS, factory, this::work);
            for (Thread worker : workers) {
                worker.join();
            }
            isOver = true;
            for (Thread reader : readers) {
                reader.join();
            }
            AccountUsage usage = account.read();
            AccountUsage nested = inner.read();
            assertThat(firstBreach.get())
                    .as("first reading that contradicts the one before")
                    .isNull();
            assertThat(usage.parts()).as("parts").isEqualTo(WORKERS * PARTS);
            assertThat(nested.parts()).as("parts of the inner account").isEqualTo(WORKERS * PARTS / NESTED_EACH);
            assertThat(usage.threads()).as("threads").isEqualTo(WORKERS);
            assertThat(usage.unmeasuredParts()).as("unmeasured parts").isZero();
            assertThat(usage.cpuTimeNs())
                    .as("CPU time of the account, between what threads read inside of parts and around them, in ns")
                    .isBetween(insideNs.get(), aroundNs.get())
                    .isEqualTo(usage.userTimeNs() + usage.systemTimeNs())
                    .isGreaterThanOrEqualTo(nested.cpuTimeNs());
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
            for (int i = 0; i < PARTS; i++) {
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
            while (!isOver) {
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
                    firstBreach.compareAndSet(null, last + " and then " + next);
                }
                last = next;
            }
        }
    }
}
