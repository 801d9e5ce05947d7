// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Accounts tell where the wall time of their parts went: of one that sleeps, and one that has to share its CPU. */
@InChild
class AccountWaitsIT {
    private static final long SLEEP_MS = 50;
    private static final long BUSY_MS = 100; // of CPU time
    private static final int THREADS_PER_CPU = 3;
    /**
     * Three threads share a CPU, so one waits twice as long as it runs; but a machine may give it more than its share.
     */
    private static final int LEAST_PART = 4;

    private static final int ALLOCATED = 1_000_000;

    private static volatile boolean isOver;
    private static volatile byte[] allocated;

    @Test
    void tellThatAThreadSlept() throws InterruptedException {
        assumeThatRunDelayIsKnown();
        AccountUsage slept = partOf(AccountWaitsIT::sleep);
        assertThat(slept.notRunningNs()).as("ns not running").isPositive();
        assertThat(slept.voluntarySwitches()).as("voluntary switches").isPositive();
        assertThat(restNs(slept)).as("ns of no kind").isZero();
        AccountUsage busy = partOf(() -> Work.spin(BUSY_MS));
        assertThat(busy.partsOfUnknownWaits()).as("parts of unknown waits").isZero();
        assertThat(restNs(busy)).as("ns of no kind, of one that was busy").isZero();
    }

    @Test
    @Tag("timing")
    void tellHowLongAThreadSlept() {
        assumeThatRunDelayIsKnown();
        assertThat(partOf(AccountWaitsIT::sleep).notRunningNs())
                .as("ns not running, of which the thread slept 50 ms; it may have waited for a CPU after that")
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(SLEEP_MS));
    }

    /** More threads want to run than there are CPUs. */
    @Test
    @Tag("timing")
    void tellThatAThreadWaitedForItsCpu() throws InterruptedException {
        assumeThatRunDelayIsKnown();
        List<Thread> others = new ArrayList<>();
        for (int i = 1; i < THREADS_PER_CPU * Runtime.getRuntime().availableProcessors(); i++) {
            Thread other = new Thread(AccountWaitsIT::spinUntilItIsOver);
            others.add(other);
            other.start();
        }
        AccountUsage busy = partOf(() -> Work.spin(BUSY_MS));
        isOver = true;
        for (Thread other : others) {
            other.join();
        }
        assertThat(busy.runDelayNs())
                .as("run delay, ns, of a thread that shares its CPU with two others")
                .isGreaterThan(busy.cpuTimeNs() / LEAST_PART);
        assertThat(busy.involuntarySwitches()).as("involuntary switches").isPositive();
    }

    private static void spinUntilItIsOver() {
        while (!isOver) {
            Thread.yield();
            Spin.forMs(1);
        }
    }

    @Test
    void tellWhatAPartHasAllocated() {
        assertThat(partOf(() -> allocated = new byte[ALLOCATED]).allocatedBytes())
                .as("bytes of a part that allocates an array of 1,000,000")
                .isBetween((long) ALLOCATED, 2L * ALLOCATED);
    }

    @Test
    void knowNoWaitsOfVirtualThreads() throws InterruptedException {
        assumeTrue(VirtualThreads.areMeasurable(), "no virtual threads");
        CpuAccount account = new CpuAccount();
        Thread thread = VirtualThreads.factory().newThread(account.wrap(AccountWaitsIT::sleep));
        thread.start();
        thread.join();
        AccountUsage usage = account.read();
        assertThat(usage.runDelayNs()).as("run delay, ns").isEqualTo(-1);
        assertThat(usage.notRunningNs()).as("not running, ns").isEqualTo(-1);
        assertThat(usage.voluntarySwitches()).as("voluntary switches").isEqualTo(-1);
        assertThat(usage.partsOfUnknownWaits()).as("parts of unknown waits").isEqualTo(1);
    }

    private static void assumeThatRunDelayIsKnown() {
        assumeTrue(ThreadClock.waits().runDelayNs() >= 0, "run delay is not known: CONFIG_SCHED_INFO");
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(SLEEP_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static AccountUsage partOf(Runnable task) {
        CpuAccount account = CpuAccount.withAllocatedBytes();
        account.wrap(task).run();
        return account.read();
    }

    private static long restNs(AccountUsage usage) {
        return usage.wallTimeNs() - usage.cpuTimeNs() - usage.runDelayNs() - usage.notRunningNs();
    }
}
