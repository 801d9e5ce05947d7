// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoTest {
    private static final long TICK_NS = 4_000_000;

    @Test
    void thePlansLeaveRoomForSlowStartsOfTwoJdks() {
        assertThat(Demo.Plan.FULL.budgetMs()).isLessThan(180_000);
        assertThat(2 * Demo.Plan.FULL.engine().durationMs())
                .isLessThan(2 * Demo.Plan.FULL.jdkBudgetMs(2, 0, TICK_NS) - 30_000);
        assertThat(Demo.Plan.QUICK.budgetMs()).isLessThan(40_000);
        assertThat(2 * Demo.Plan.QUICK.engine().durationMs())
                .isLessThan(2 * Demo.Plan.QUICK.jdkBudgetMs(2, 0, TICK_NS) - 8_000);
    }

    @Test
    void dividesWhatIsLeftAmongTheJdksThatAreStillToDo() {
        assertThat(Demo.Plan.FULL.jdkBudgetMs(2, 20_000, TICK_NS))
                .isEqualTo((Demo.Plan.FULL.jdkBudgetMs(1, 0, TICK_NS) - 20_000) / 2);
    }

    @Test
    void takesTheUsualTickWhereItCannotBeMeasured() {
        assertThat(Demo.tickNs(1000L)).isEqualTo(1_000_000);
        assertThat(Demo.tickNs(null)).isEqualTo(4_000_000);
    }

    @Test
    void runsLiveOnOneJdkAlone() {
        for (String other : List.of("--quick", "--write", "--requests", "--preload", "--jdks=17,25")) {
            StringWriter complaint = new StringWriter();
            int status =
                    new Demo().commandLine().setErr(new PrintWriter(complaint)).execute("--live", other);
            assertThat(status).as(other).isEqualTo(2);
            assertThat(complaint.toString()).startsWith("--live runs on one JDK");
        }
    }

    @Test
    void explainsItsOptions() {
        StringWriter help = new StringWriter();
        assertThat(new Demo().commandLine().setOut(new PrintWriter(help)).execute("--help"))
                .isZero();
        assertThat(help.toString()).contains("--quick", "--jdks", "--write", "--live", "--requests", "--preload");
    }
}
