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

    /** The screen's fourth line, for a snapshot with this waiting time, and readings of this age. */
    private String status(long waitedNs, long ageNs) {
        return lines(waitedNs, ageNs).get(ScreenText.HEAD_LINES - 1);
    }

    private List<String> lines(long waitedNs, long ageNs) {
        UsageSample sample = new UsageSample(
                MadeUp.snapshot(MadeUp.S, MadeUp.thread(41, "worker", 0, 0, MadeUp.S - ageNs)),
                MadeUp.S,
                List.of(),
                Rate.UNKNOWN,
                0,
                List.of());
        Controls controls = Controls.of(new ThreadTable(Order.CPU, "", true), Duration.ofMillis(200));
        WatchedProcess subject = new WatchedProcess(FakeProc.files(noProc), 4711, "App", true);
        return new ScreenText(subject, Glyphs.ASCII, ZoneOffset.UTC, 100, 24)
                .lines(new ScreenText.Scene(controls, sample, List.of(), new History(), "", waitedNs, "", 0, "", null));
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

    @Test
    void saysWhenTheBudgetDoesNotAllowToLookSoOften() {
        assertThat(status(400 * MadeUp.MS, 0)).contains("its budget allows every 0.4 s");
        assertThat(status(150 * MadeUp.MS, 0)).doesNotContain("budget");
    }

    @Test
    void virtualThreadsAreIndentedWithTheirMountsPerSecond() {
        UsageSample sample = MadeUpRates.sampleWithPools();
        ThreadTable table = new ThreadTable(Order.CPU, "", true);
        Controls controls = Controls.of(table, Duration.ofMillis(200));
        WatchedProcess subject = new WatchedProcess(FakeProc.files(noProc), 4711, "App", true);
        List<String> lines = new ScreenText(subject, Glyphs.ASCII, ZoneOffset.UTC, 100, 24)
                .lines(new ScreenText.Scene(
                        controls, sample, table.rows(sample), new History(), "", 0, "", 0, "", null));
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
        Controls controls = Controls.of(new ThreadTable(order, "", false), Duration.ofMillis(200));
        WatchedProcess subject = new WatchedProcess(FakeProc.files(noProc), 4711, "App", true);
        List<String> lines = new ScreenText(subject, Glyphs.ASCII, ZoneOffset.UTC, width, 24)
                .lines(new ScreenText.Scene(
                        controls, sample, controls.table().rows(sample), new History(), "", 0, "", 0, "", null));
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

    @Test
    void saysHowOldReadingsAre() {
        assertThat(status(0, 900 * MadeUp.MS)).contains("some read 0.9 s ago");
        assertThat(status(0, 300 * MadeUp.MS)).doesNotContain("ago");
    }
}
