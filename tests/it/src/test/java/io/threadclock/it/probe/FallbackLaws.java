// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.threadclock.AccountUsage;
import io.threadclock.ClockSource;
import io.threadclock.ClockUnavailableException;
import io.threadclock.CpuAccount;
import io.threadclock.CpuStopwatch;
import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadMXBeanBoost;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.TimeSplit;
import io.threadclock.TimesHolder;
import io.threadclock.diagnostics.ClockBinding;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;

/**
 * All that the library tells of the calling thread, of all threads and of itself, where the JDK's clock stands in for
 * its own. A property may name the system while the library is loaded; JDK 8 itself needs the right name before and
 * afterwards.
 */
public final class FallbackLaws {
    private static final long BUSY_MS = 60; // of CPU time
    /** Less, because the account by which it works is late by up to a clock tick. */
    private static final long LEAST_NS = TimeUnit.MILLISECONDS.toNanos(40);

    private static final int READINGS = 5_000;

    @BeforeAll
    static void load() {
        String system = System.getProperty("os.name");
        System.setProperty("os.name", System.getProperty("threadclock.it.system", system));
        ThreadClock.isSupported();
        System.setProperty("os.name", system);
    }

    void standsIn() {
        assertThat(ThreadClock.isSupported()).as("isSupported()").isFalse();
        assertThat(ThreadClock.canRead()).as("canRead()").isTrue();
        assertThat(ThreadClock.source()).isEqualTo(ClockSource.THREAD_MX_BEAN);
        assertThat(ThreadClock.split()).isEqualTo(TimeSplit.THREAD_MX_BEAN);
        assertThat(ThreadClock.binding()).isEqualTo(ClockBinding.NONE);
        assertThat(ThreadClock.explanation())
                .contains(
                        System.getProperty("threadclock.it.reason"),
                        "ThreadMXBean instead",
                        "-Dthreadclock.strict=true");
    }

    void isNotNeeded() {
        assertThat(ThreadClock.isSupported()).as("isSupported()").isTrue();
        assertThat(ThreadClock.source()).isNotEqualTo(ClockSource.THREAD_MX_BEAN);
    }

    void addsUp() {
        CpuStopwatch watch = new CpuStopwatch().start();
        Work.spin(BUSY_MS);
        assertThat(watch.stop())
                .as("CPU time of the work, ns")
                .isGreaterThan(LEAST_NS)
                .isEqualTo(watch.userTimeNs() + watch.systemTimeNs());
        assertThat(watch.isMeasured()).as("isMeasured() of a stopwatch").isTrue();
        assertThat(ThreadsSnapshot.take().thread(ThreadIds.ownId()).get().cpuTimeNs())
                .as("CPU time of the thread in a snapshot, ns")
                .isGreaterThan(LEAST_NS);
        TimesHolder holder = new TimesHolder();
        ThreadClock.read(holder);
        assertThat(holder.cpuTimeNs()).as("in a holder").isEqualTo(holder.userTimeNs() + holder.systemTimeNs());
        CpuTimes times = ThreadClock.read();
        assertThat(times.cpuTimeNs()).as("in a value").isEqualTo(times.userTimeNs() + times.systemTimeNs());
        assertThat(ThreadClock.userTimeNs()).as("user time, ns").isNotNegative();
        assertThat(ThreadClock.systemTimeNs()).as("system time, ns").isNotNegative();
        assertNoBreach();
    }

    private static void assertNoBreach() {
        Tally breaches = new Tally();
        CpuTimes last = ThreadClock.read();
        for (int i = 0; i < READINGS; i++) {
            CpuTimes now = ThreadClock.read();
            breaches.atLeast(last.userTimeNs(), now.userTimeNs());
            breaches.atLeast(last.systemTimeNs(), now.systemTimeNs());
            last = now;
        }
        breaches.assertNoBreach("readings do not contradict the one before");
    }

    void changesNothingElse() {
        assertThat(ThreadMXBeanBoost.install()).as("install()").isFalse();
        assertThat(ThreadMXBeanBoost.isInstalled()).as("isInstalled()").isFalse();
        assertThat(ThreadMXBeanBoost.uninstall()).as("uninstall()").isFalse();
        assertThat(ThreadClock.stats().resyncs())
                .as("resyncs of a clock that is not there")
                .isZero();
        assertThatExceptionOfType(ClockUnavailableException.class).isThrownBy(ThreadClock::readProcess);
    }

    void measuresPartsOfAccountsAndKnowsNoWaits() {
        CpuAccount account = new CpuAccount();
        long[] liveNs = new long[1];
        account.wrap(() -> {
                    Work.spin(BUSY_MS);
                    liveNs[0] = account.read().cpuTimeNs();
                })
                .run();
        AccountUsage usage = account.read();
        assertThat(usage.unmeasuredParts()).as("unmeasured parts").isZero();
        assertThat(liveNs[0]).as("CPU time of the work, in its part, ns").isGreaterThan(LEAST_NS);
        assertThat(usage.cpuTimeNs())
                .as("at its end")
                .isEqualTo(usage.userTimeNs() + usage.systemTimeNs())
                .isGreaterThanOrEqualTo(liveNs[0]);
        assertThat(usage.runDelayNs()).as("run delay").isEqualTo(-1);
        assertThat(usage.notRunningNs()).as("time not running").isEqualTo(-1);
        assertThat(ThreadClock.waits())
                .hasToString("run delay unknown, switches unknown voluntary + unknown involuntary");
    }

    void refusesWhereThreadCpuTimeIsSwitchedOff() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        threads.setThreadCpuTimeEnabled(false);
        try {
            assertThatExceptionOfType(ClockUnavailableException.class)
                    .as("instead of -1")
                    .isThrownBy(ThreadClock::cpuTimeNs)
                    .withMessageContainingAll("it answered -1", "setThreadCpuTimeEnabled(true)");
            assertThat(new CpuStopwatch().start().stop())
                    .as("of a stopwatch, ns")
                    .isEqualTo(-1);
        } finally {
            threads.setThreadCpuTimeEnabled(true);
        }
    }
}
