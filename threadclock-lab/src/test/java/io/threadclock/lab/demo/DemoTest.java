// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.harness.Jdk;
import io.threadclock.harness.SetupException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DemoTest {
    private final Jdk jdk17 = new Jdk(Path.of("/17"), "17.0.15", "");
    private final Jdk jdk25 = new Jdk(Path.of("/25"), "25", "");

    @Test
    void takesEveryJdkFoundUnlessToldOtherwise() {
        assertThat(Demo.chosen(List.of(jdk17, jdk25), Set.of())).containsExactly(jdk17, jdk25);
        assertThat(Demo.chosen(List.of(jdk17, jdk25), Set.of(25))).containsExactly(jdk25);
    }

    @Test
    void refusesAJdkThatIsNotFound() {
        assertThatThrownBy(() -> Demo.chosen(List.of(jdk17), Set.of(17, 21)))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("[", "21", "found [JDK 17.0.15]", "THREADCLOCK_JDKS");
    }

    @Test
    void refusesToRunWithoutAnyJdk() {
        assertThatThrownBy(() -> Demo.chosen(List.of(), Set.of()))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("a JDK 17 or newer", "found none", "Install one");
    }

    @Test
    void takesTheUsualTickWhereItCannotBeMeasured() {
        assertThat(Demo.tickNs(OptionalLong.of(1000))).isEqualTo(1_000_000);
        assertThat(Demo.tickNs(OptionalLong.empty())).isEqualTo(4_000_000);
    }

    @Test
    void runsLiveOnOneJdkAlone() {
        for (String other : List.of("--quick", "--write", "--jdks=17,25")) {
            StringWriter complaint = new StringWriter();
            int status = Demo.commandLine().setErr(new PrintWriter(complaint)).execute("--live", other);
            assertThat(status).as(other).isEqualTo(2);
            assertThat(complaint.toString()).startsWith("--live runs on one JDK");
        }
    }

    @Test
    void explainsItsOptions() {
        StringWriter help = new StringWriter();
        assertThat(Demo.commandLine().setOut(new PrintWriter(help)).execute("--help"))
                .isZero();
        assertThat(help.toString()).contains("--quick", "--jdks", "--write", "--live");
    }
}
