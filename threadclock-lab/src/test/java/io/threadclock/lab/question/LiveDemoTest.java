// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.lab.program.LiveProgram;
import java.nio.file.Path;
import java.time.LocalTime;
import org.junit.jupiter.api.Test;

class LiveDemoTest {
    /** The width of a terminal that nobody has made wider. */
    private static final int TERMINAL_COLUMNS = 80;

    private final LiveDemo.Lines lines = new LiveDemo.Lines();
    private final Path checkout = Path.of("/home/a user/threadclock");

    @Test
    void saysWhatItIsAndWhatToType() {
        String introduction =
                LiveDemo.introduction(new Jdk(Path.of("/17"), "17.0.15", "Debian"), 4711, "./threadclock");
        assertThat(introduction)
                .startsWith("QuestDB on JDK 17.0.15 (Debian), process 4711, without threadclock.")
                .contains("\n    ./threadclock attach 4711\n", "\n    ./threadclock detach 4711\n");
        assertThat(introduction.lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(TERMINAL_COLUMNS));
    }

    @Test
    void namesTheLauncherAsItIsTypedInTheCheckout() {
        assertThat(LiveDemo.launcher(checkout, checkout)).isEqualTo("./threadclock");
        assertThat(LiveDemo.launcher(checkout, checkout.resolve("../threadclock")))
                .isEqualTo("./threadclock");
    }

    @Test
    void namesTheLauncherByItsPathElsewhere() {
        assertThat(LiveDemo.launcher(Path.of("/opt/threadclock"), Path.of("/root")))
                .isEqualTo("/opt/threadclock/threadclock");
    }

    @Test
    void aLineHoldsEachFigureBelowItsTitle() {
        String line = lines.line(LocalTime.of(9, 5, 7), second(9_915));
        assertThat(line).isEqualTo("09:05:07  12,582   9,915 10,915     329  1,039   3,700  5,100   124");
        assertThat(LiveDemo.Lines.TITLES.lines())
                .allSatisfy(title -> assertThat(title).hasSameSizeAs(line));
    }

    @Test
    void remarksOnAMedianThatIsFarLess() {
        line(9_915);
        assertThat(line(20)).endsWith("124 <- 496× less");
        assertThat(line(20)).endsWith("124");
    }

    @Test
    void remarksOnAMedianThatIsFarMore() {
        line(20);
        assertThat(line(9_000)).endsWith("124 <- 450× more");
    }

    @Test
    void doesNotRemarkOnABusyMachine() {
        assertThat(line(9_915)).as("the first line").endsWith("124");
        assertThat(line(3_000)).as("3 times less").endsWith("124");
        assertThat(line(9_915)).as("3 times more").endsWith("124");
    }

    @Test
    void remarksOnAMedianThatTheTimerHides() {
        line(100);
        assertThat(line(0)).endsWith("124 <- 100× less");
        assertThat(line(100)).endsWith("124 <- 100× more");
    }

    @Test
    void fitsIntoATerminal() {
        line(9_915);
        assertThat(line(20)).hasSizeLessThanOrEqualTo(TERMINAL_COLUMNS);
    }

    private String line(long userMedianNs) {
        return lines.line(LocalTime.NOON, second(userMedianNs));
    }

    private static LiveProgram.Second second(long userMedianNs) {
        return new LiveProgram.Second(
                6_291,
                500_000_000,
                new LiveProgram.Calls(userMedianNs, userMedianNs + 1_000),
                new LiveProgram.Calls(329, 1_039),
                new LiveProgram.Calls(3_700, 5_100),
                124);
    }
}
