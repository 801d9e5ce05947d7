// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.FakeProc;
import io.threadclock.cli.threads.MadeUp;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScreenTextTest {
    @TempDir
    Path noProc;

    private List<String> lines(int width, ThreadTable table, UsageSample sample, long waitedNs) {
        Controls controls = Controls.of(table, Duration.ofMillis(200));
        WatchedProcess subject = new WatchedProcess(FakeProc.files(noProc), 4711, "App", true);
        return new ScreenText(subject, Glyphs.ASCII, ZoneOffset.UTC, width, 24)
                .lines(new ScreenText.Scene(
                        controls, sample, table.rows(sample), new History(), "", waitedNs, "", 0, "", null));
    }

    /** For a snapshot with this waiting time, and readings of this age. */
    private List<String> lines(long waitedNs, long ageNs) {
        UsageSample sample =
                new UsageMeter().take(MadeUp.snapshot(MadeUp.S, MadeUp.thread(41, "worker", 0, 0, MadeUp.S - ageNs)));
        return lines(100, new ThreadTable(Order.CPU, "", true), sample, waitedNs);
    }

    @ParameterizedTest
    @CsvSource({
        "0-2, 0::/, 300 % (its CPUs)",
        "1, 0::/../till, '100 % (its CPUs, quota unknown)'",
        "'', '', ? % (its CPUs)"
    })
    void theWholeIsWhatTheProcessMayUse(String cpus, String group, String whole) {
        FakeProc.write(noProc.resolve("status"), "Cpus_allowed_list:\t" + cpus + "\n");
        FakeProc.write(noProc.resolve("cgroup"), group + "\n");
        assertThat(lines(0, 0).get(1)).contains(" of " + whole);
    }

    @Test
    void aProcessThatWasReadOnceHasNoUsageYet() {
        assertThat(lines(0, 0).get(1)).startsWith("CPU ? %  user ?  system ?  of ");
    }

    /** In the fourth line. */
    @ParameterizedTest
    @CsvSource({"400, 0, its budget allows every 0.4 s", "150, 0, ''", "0, 900, some read 0.9 s ago", "0, 300, ''"})
    void saysWhatTheBudgetDoesNotAllow(long waitedMs, long ageMs, String said) {
        assertThat(lines(waitedMs * MadeUp.MS, ageMs * MadeUp.MS).get(ScreenText.HEAD_LINES - 1))
                .matches("sort cpu  pools folded +" + said + " +\\?=help q=quit");
    }

    @Test
    void virtualThreadsAreIndentedWithTheirMountsPerSecond() {
        List<String> lines = lines(100, new ThreadTable(Order.CPU, "", true), MadeUpRates.sampleWithPools(), 0);
        assertThat(lines.get(ScreenText.HEAD_LINES + 1))
                .contains(" virtual ", "x3")
                .endsWith("   handler-*  1,235/s");
        assertThat(lines.get(ScreenText.HEAD_LINES + 3)).endsWith("   (carriers' rest)");
    }

    /** The headings and the first row of two threads that wait, and of one of which it is not known. */
    private List<String> table(int width, Order order) {
        UsageSample sample = MadeUpRates.sample(
                MadeUpRates.waiting(0.125, 1234, MadeUpRates.usage(41, "worker-1", 0.5, 0.25, MadeUp.S)),
                MadeUpRates.waiting(12, 99, MadeUpRates.usage(42, "drone", 0.25, 0, MadeUp.S)),
                MadeUpRates.usage(43, "ghost", Double.NaN, Double.NaN, 0));
        return table(width, order, sample);
    }

    private List<String> table(int width, Order order, UsageSample sample) {
        List<String> lines = lines(width, new ThreadTable(order, "", false), sample, 0);
        return lines.subList(ScreenText.HEAD_LINES, lines.size());
    }

    @Test
    void waitsThatAreNotKnownAreAQuestionMark() {
        assertThat(table(100, Order.CPU))
                .containsExactly(
                        "  %CPU USER+SYS  WAIT SWITCH/s     TIME S KIND        TID LAST             NAME",
                        "  75.0 ####++..  12.5    1,234   1.00 s ? java         41                  worker-1",
                        "  25.0 ##......  1200       99   1.00 s ? java         42                  drone",
                        "     ? ........     ?        ?   0.00 s ? java         43                  ghost");
    }

    @ParameterizedTest
    @CsvSource({
        "89, CPU, %CPU USER+SYS WAIT SWITCH/s TIME S KIND TID LAST NAME",
        "88, CPU, %CPU USER+SYS WAIT TIME S KIND TID LAST NAME",
        "80, CPU, %CPU USER+SYS WAIT TIME S KIND TID LAST NAME",
        "79, CPU, %CPU USER+SYS WAIT TIME S KIND TID NAME",
        "79, SWITCHES, %CPU USER+SYS WAIT SWITCH/s TIME S KIND TID NAME",
        "62, CPU, %CPU USER+SYS WAIT TIME S KIND TID NAME",
        "61, CPU, %CPU USER+SYS TIME S KIND TID NAME",
        "55, CPU, %CPU KIND NAME"
    })
    void columnsGiveWayInOrder(int width, Order order, String headings) {
        assertThat(table(width, order).get(0).strip().split(" +")).containsExactly(headings.split(" "));
    }

    @ParameterizedTest
    @CsvSource({"200, 60, 71", "160, 30, 71", "120, 5, 56"})
    void namesHaveTheWidthThatTheyNeedBesideLast(int width, int last, int shown) {
        String name = "org.springframework.kafka.KafkaListenerEndpointContainer#0-0-C-1 (orders)".substring(0, 71);
        UsageSample sample = MadeUpRates.sample(MadeUpRates.usage(41, name, 0.5, 0.25, MadeUp.S));
        String row = table(width, Order.CPU, sample).get(1);
        assertThat(row).endsWith(name.substring(0, shown));
        assertThat(table(width, Order.CPU, sample).get(0)).endsWith("TID LAST" + " ".repeat(last - 3) + "NAME");
    }
}
