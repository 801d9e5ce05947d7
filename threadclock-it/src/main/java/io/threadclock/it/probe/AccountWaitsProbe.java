// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Prints how an account divides the wall time of a part that sleeps, of one that has to share its CPU, and of one in a
 * virtual thread; and what a part allocates.
 */
public final class AccountWaitsProbe {
    private static final long SLEEP_MS = 50;
    private static final long BUSY_MS = 100; // of CPU time
    private static final int THREADS_PER_CPU = 3;
    private static final int ALLOCATED = 1_000_000;

    private static volatile boolean isOver;
    private static volatile byte[] allocated;

    private AccountWaitsProbe() {}

    public static void main(String[] arguments) throws InterruptedException {
        Fact.print("known", ThreadClock.waits().runDelayNs() >= 0);
        Fact.print("source", ThreadClock.source());
        print("sleep", partOf(AccountWaitsProbe::sleep));
        print("busy", busy());
        AccountUsage allocating = partOf(() -> allocated = new byte[ALLOCATED]);
        print("allocating", allocating);
        Fact.print("allocating.bytes", allocating.allocatedBytes());
        if (VirtualThreads.areMeasurable()) {
            CpuAccount account = new CpuAccount();
            Thread thread = VirtualThreads.factory().newThread(account.wrap(AccountWaitsProbe::sleep));
            thread.start();
            thread.join();
            print("virtual", account.read());
        }
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

    /** More threads want to run than there are CPUs. */
    private static AccountUsage busy() throws InterruptedException {
        List<Thread> others = new ArrayList<>();
        for (int i = 1; i < THREADS_PER_CPU * Runtime.getRuntime().availableProcessors(); i++) {
            Thread other = new Thread(() -> {
                while (!isOver) {
                    Thread.yield();
                    spin();
                }
            });
            others.add(other);
            other.start();
        }
        AccountUsage usage = partOf(() -> Work.spin(BUSY_MS));
        isOver = true;
        for (Thread other : others) {
            other.join();
        }
        return usage;
    }

    private static void spin() {
        for (long end = System.nanoTime() + 1_000_000; System.nanoTime() < end; ) {
            Thread.interrupted();
        }
    }

    private static void print(String name, AccountUsage usage) {
        Fact.print(name + ".cpu", usage.cpuTimeNs());
        Fact.print(name + ".runDelay", usage.runDelayNs());
        Fact.print(name + ".notRunning", usage.notRunningNs());
        Fact.print(name + ".voluntary", usage.voluntarySwitches());
        Fact.print(name + ".involuntary", usage.involuntarySwitches());
        Fact.print(name + ".unknown", usage.partsOfUnknownWaits());
        Fact.print(name + ".rest", usage.wallTimeNs() - usage.cpuTimeNs() - usage.runDelayNs() - usage.notRunningNs());
    }
}
