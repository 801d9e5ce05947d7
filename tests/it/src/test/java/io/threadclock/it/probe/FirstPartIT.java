// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The first part of the first account of a process, for which the library has to be loaded. */
@InChild
public class FirstPartIT {
    /** What is interpreted for the first time between two readings. Loading takes 30 ms or more of CPU time. */
    private static final long SLACK_NS = 5_000_000;

    @Test
    @Tag("timing")
    void hasNoneOfTheTimeThatLoadingTakes() {
        ThreadMXBean stock = ManagementFactory.getThreadMXBean();
        CpuAccount account = new CpuAccount();
        long beginNs = System.nanoTime();
        long cpuBeginNs = stock.getCurrentThreadCpuTime();
        account.enter().close();
        long cpuNs = stock.getCurrentThreadCpuTime() - cpuBeginNs;
        long awayNs = System.nanoTime() - beginNs - cpuNs;
        AccountUsage usage = account.read();

        assertThat(usage.notRunningNs() + usage.runDelayNs())
                .as("time in which the thread did not run, in ns")
                .isBetween(0L, awayNs + SLACK_NS);
    }
}
