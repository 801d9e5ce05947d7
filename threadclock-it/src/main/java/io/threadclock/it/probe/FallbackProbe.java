// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.AccountUsage;
import io.threadclock.ClockUnavailableException;
import io.threadclock.CpuAccount;
import io.threadclock.CpuStopwatch;
import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadMXBeanBoost;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.TimesHolder;
import java.lang.management.ManagementFactory;

/**
 * Calls all that the library tells of the calling thread, of all threads and of itself, wherever it runs. With an argument,
 * that is the system's name while the library is loaded; JDK 8 itself needs the right one before and afterwards.
 */
public final class FallbackProbe {
    private static final long BUSY_MS = 60; // of CPU time
    private static final int READINGS = 5_000;

    private FallbackProbe() {}

    public static void main(String[] arguments) {
        String system = System.getProperty("os.name");
        System.setProperty("os.name", arguments.length > 0 ? arguments[0] : system);
        Fact.print("supported", ThreadClock.isSupported());
        System.setProperty("os.name", system);
        Fact.print("canRead", ThreadClock.canRead());
        Fact.print("source", ThreadClock.source());
        Fact.print("split", ThreadClock.split());
        Fact.print("binding", ThreadClock.binding());
        Fact.print("explanation", ThreadClock.explanation().replace('\n', '|'));
        CpuStopwatch watch = new CpuStopwatch();
        watch.start();
        Work.spin(BUSY_MS);
        Fact.print("watch", watch.stop());
        Fact.print("watch.parts", watch.userTimeNs() + watch.systemTimeNs());
        Fact.print("watch.measured", watch.isMeasured());
        printReadings();
        Fact.print("breaches", breaches());
        Fact.print(
                "snapshot",
                ThreadsSnapshot.take().thread(ThreadIds.ownId()).get().cpuTimeNs());
        printAccount();
        Fact.print("resyncs", ThreadClock.stats().resyncs());
        Fact.print("process", Fact.kind(() -> ThreadClock.readProcess().cpuTimeNs()));
        printBoost();
        printSwitchedOff();
    }

    private static void printBoost() {
        Fact.print("boost.done", ThreadMXBeanBoost.install());
        Fact.print("boost", ThreadMXBeanBoost.isInstalled());
        Fact.print("boost.undone", ThreadMXBeanBoost.uninstall());
    }

    private static void printAccount() {
        CpuAccount account = new CpuAccount();
        account.wrap(() -> {
                    Work.spin(BUSY_MS);
                    Fact.print("account.live", account.read().cpuTimeNs());
                })
                .run();
        AccountUsage usage = account.read();
        Fact.print("account", usage.cpuTimeNs());
        Fact.print("account.parts", usage.userTimeNs() + usage.systemTimeNs());
        Fact.print("account.unmeasured", usage.unmeasuredParts());
        Fact.print("account.runDelay", usage.runDelayNs());
        Fact.print("account.notRunning", usage.notRunningNs());
        Fact.print("waits", ThreadClock.waits());
    }

    private static void printSwitchedOff() {
        ManagementFactory.getThreadMXBean().setThreadCpuTimeEnabled(false);
        try {
            Fact.print("off", Fact.kind(ThreadClock.cpuTimeNs()));
        } catch (ClockUnavailableException refused) {
            Fact.print("off", refused.getMessage());
        }
        CpuStopwatch watch = new CpuStopwatch();
        watch.start();
        Fact.print("off.watch", watch.stop());
    }

    /** How many readings in a row contradict the one before. */
    private static long breaches() {
        long breaches = 0;
        CpuTimes last = ThreadClock.read();
        for (int i = 0; i < READINGS; i++) {
            CpuTimes now = ThreadClock.read();
            boolean isBroken = now.userTimeNs() < last.userTimeNs() || now.systemTimeNs() < last.systemTimeNs();
            breaches += isBroken ? 1 : 0;
            last = now;
        }
        return breaches;
    }

    private static void printReadings() {
        TimesHolder holder = new TimesHolder();
        ThreadClock.read(holder);
        CpuTimes times = ThreadClock.read();
        Fact.print("holder.rest", holder.cpuTimeNs() - holder.userTimeNs() - holder.systemTimeNs());
        Fact.print("value.rest", times.cpuTimeNs() - times.userTimeNs() - times.systemTimeNs());
        Fact.print("user", Fact.kind(ThreadClock::userTimeNs));
        Fact.print("system", Fact.kind(ThreadClock::systemTimeNs));
    }
}
