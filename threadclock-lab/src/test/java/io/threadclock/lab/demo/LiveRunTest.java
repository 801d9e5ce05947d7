// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LiveRunTest {
    private static final int TERMINAL_COLUMNS = 80;

    private final Path checkout = Path.of("/home/a user/threadclock");

    @Test
    void saysWhatItIsAndWhatToType() {
        String introduction = LiveRun.introduction(new Jdk(Path.of("/17"), "17.0.15", "Debian"), 4711, "./threadclock");
        assertThat(introduction)
                .startsWith("QuestDB on JDK 17.0.15 (Debian), process 4711, without threadclock.")
                .contains("\n    ./threadclock attach 4711\n", "\n    ./threadclock detach 4711\n");
        assertThat(introduction.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(TERMINAL_COLUMNS));
    }

    @Test
    void namesTheLauncherAsItIsTypedInTheCheckout() {
        assertThat(LiveRun.launcher(checkout, checkout)).isEqualTo("./threadclock");
        assertThat(LiveRun.launcher(checkout, checkout.resolve("../threadclock"))).isEqualTo("./threadclock");
    }

    @Test
    void namesTheLauncherByItsPathElsewhere() {
        assertThat(LiveRun.launcher(Path.of("/opt/threadclock"), Path.of("/root")))
                .isEqualTo("/opt/threadclock/threadclock");
    }
}
