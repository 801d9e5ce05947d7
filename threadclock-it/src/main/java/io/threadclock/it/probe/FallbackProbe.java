// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.AccountUsage;
import io.threadclock.ClockUnavailableException;
import io.threadclock.CpuAccount;
import io.threadclock.CpuStopwatch;
import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadTimes;
import io.threadclock.TimesHolder;
import java.lang.management.ManagementFactory;

/** Falls back on the stock ThreadMXBean, where that has an effect and where it has none. */
public final class FallbackProbe {
    private static final long BUSY_MS = 60; // of CPU time

    private FallbackProbe() {}

    public static void main(String[] arguments) {
        Fact.print("before.cpu", Fact.kind(ThreadClock::cpuTimeNs));
        Fact.print("before.snapshot", Fact.kind(() ->
                (long) ThreadTimes.snapshot().threads().size()));
        CpuAccount account = new CpuAccount();
        account.wrap(() -> {}).run();
        Fact.print("before.unmeasured", account.read().unmeasuredParts());
        ThreadClock.fallBackOnThreadMXBean();
        Fact.print("supported", ThreadClock.isSupported());
        Fact.print("source", ThreadClock.source());
        Fact.print("split", ThreadClock.split());
        CpuStopwatch watch = new CpuStopwatch();
        watch.start();
        Work.spin(BUSY_MS);
        Fact.print("watch", watch.stop());
        Fact.print("watch.parts", watch.userTimeNs() + watch.systemTimeNs());
        printReadings();
        Fact.print(
                "snapshot",
                ThreadTimes.snapshot().thread(ThreadIdProbe.ownId()).get().cpuTimeNs());
        printAccount();
        printSwitchedOff();
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
