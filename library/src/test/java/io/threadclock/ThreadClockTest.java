// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ThreadClockTest {
    private final TimesHolder holder = new TimesHolder();

    @Test
    @Tag("timing")
    void agreesWithTheJdk() {
        long beforeNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long cpuNs = ThreadClock.cpuTimeNs();
        long afterNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        // The counter may be ahead by the time that an interrupt or a hypervisor took, up to the end of the clock's
        // window of 4 ms.
        assertThat(cpuNs).as("CPU time, in ns").isBetween(beforeNs - 1_000_000, afterNs + 5_000_000);
    }

    @Test
    void readsEachTimeBetweenTwoReadingsOfAll() {
        CpuTimes before = ThreadClock.read();
        long systemNs = ThreadClock.systemTimeNs();
        long userNs = ThreadClock.userTimeNs();
        long cpuNs = ThreadClock.cpuTimeNs();
        ThreadClock.read(holder);
        assertThat(systemNs).as("system time").isBetween(before.systemTimeNs(), holder.systemTimeNs());
        assertThat(userNs).as("user time").isBetween(before.userTimeNs(), holder.userTimeNs());
        assertThat(cpuNs).as("CPU time").isBetween(before.cpuTimeNs(), holder.cpuTimeNs());
    }

    /** The agent uses the header's names in lower case; the command line takes its names from these. */
    @Test
    void sourcesAndSplitsHaveTheNumbersOfTheHeader() throws IOException {
        assertThat(Stream.of(ClockSource.values())
                        .limit(ClockSource.values().length - 1)
                        .map(one -> "TCLK_SOURCE_" + one + " = " + (one.ordinal() + 1)))
                .isEqualTo(enumerators("TCLK_SOURCE_").stream().skip(1).toList());
        assertThat(Stream.of(TimeSplit.values())
                        .limit(TimeSplit.values().length - 1)
                        .map(one -> "TCLK_SPLIT_" + one + " = " + one.ordinal()))
                .isEqualTo(enumerators("TCLK_SPLIT_"));
    }

    private static List<String> enumerators(String prefix) throws IOException {
        String header = Files.readString(Path.of("../native/src/main/c/include/threadclock.h"));
        return Pattern.compile(prefix + "([A-Z]+) =\\s+(\\d+)")
                .matcher(header)
                .results()
                .map(found -> prefix + found.group(1) + " = " + found.group(2))
                .toList();
    }

    @Test
    void addsUpInAHolder() {
        ThreadClock.read(holder);
        assertAddsUp();
    }

    private void assertAddsUp() {
        assertThat(holder.cpuTimeNs())
                .as("CPU time of one reading")
                .isPositive()
                .isEqualTo(holder.userTimeNs() + holder.systemTimeNs());
    }

    private static void assumeTheClockIsHere() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
    }

    @Test
    void tellsHowTheThreadHasWaited() throws InterruptedException {
        assumeTheClockIsHere();
        ThreadWaits before = ThreadClock.waits();
        Thread.sleep(1);
        ThreadClock.readWithWaits(holder);
        ThreadWaits after = ThreadClock.waits();
        assertThat(holder.voluntarySwitches())
                .as("voluntary switches, after a sleep")
                .isBetween(before.voluntarySwitches() + 1, after.voluntarySwitches());
        assertThat(holder.involuntarySwitches())
                .as("involuntary switches")
                .isBetween(before.involuntarySwitches(), after.involuntarySwitches());
        assertThat(holder.runDelayNs()).as("run delay").isBetween(before.runDelayNs(), after.runDelayNs());
        assertAddsUp();
    }

    @Test
    void knowsNoWaitsOfAReadingWithoutThem() {
        assumeTheClockIsHere();
        ThreadClock.readWithWaits(holder);
        assertThat(holder.voluntarySwitches()).as("switches").isNotNegative();
        ThreadClock.read(holder);
        assertThat(holder.voluntarySwitches()).as("after the next reading").isEqualTo(-1);
        assertThat(holder.runDelayNs()).as("run delay").isEqualTo(-1);
    }

    @Test
    void explainsItsSourceAndItsSplit() {
        assumeTheClockIsHere();
        assertThat(ThreadClock.explanation())
                .startsWith("source " + ThreadClock.source().name().toLowerCase(Locale.ROOT) + ", split "
                        + ThreadClock.split().name().toLowerCase(Locale.ROOT))
                .doesNotContain("\n\n");
    }

    @Test
    void readsOfTheProcessAtLeastWhatAThreadHasCost() {
        assumeTheClockIsHere();
        CpuTimes thread = ThreadClock.read();
        CpuTimes process = ThreadClock.readProcess();
        assertThat(process.cpuTimeNs()).as("CPU time of the process").isGreaterThan(thread.cpuTimeNs());
        assertThat(process.cpuTimeNs()).isEqualTo(process.userTimeNs() + process.systemTimeNs());
    }

    @Test
    @Tag("timing")
    void agreesWithTheJdkOnTheProcess() {
        assumeTheClockIsHere();
        com.sun.management.OperatingSystemMXBean jdk =
                ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        long beforeNs = jdk.getProcessCpuTime();
        long processNs = ThreadClock.readProcess().cpuTimeNs();
        // The JDK counts in steps of 10 ms.
        assertThat(processNs)
                .as("CPU time of the process, in ns")
                .isBetween(beforeNs - 100_000_000, jdk.getProcessCpuTime() + 100_000_000);
    }

    @Test
    void canReadPlatformThreads() {
        assertThat(ThreadClock.canRead()).as("can read").isTrue();
    }

    @Test
    void comparesValuesByTheirTimes() {
        assertThat(new CpuTimes(3, 2)).isEqualTo(new CpuTimes(3, 2)).isNotEqualTo(new CpuTimes(3, 1));
        assertThat(new CpuTimes(3, 2)).hasToString("CPU 3 ns = user 2 ns + system 1 ns");
        assertThat(new ThreadWaits(3, 2, 1))
                .isEqualTo(new ThreadWaits(3, 2, 1))
                .isNotEqualTo(new ThreadWaits(-1, 2, 1))
                .hasToString("run delay 3 ns, switches 2 voluntary + 1 involuntary");
        assertThat(new ThreadWaits(-1, -1, -1))
                .hasToString("run delay unknown, switches unknown voluntary + unknown involuntary");
    }
}
