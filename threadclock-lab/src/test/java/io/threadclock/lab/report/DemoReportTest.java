// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.question.EngineCost;
import io.threadclock.lab.question.TickTrap;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DemoReportTest {
    private static final String JDK = "17.0.15";

    private final MadeUpRun run = new MadeUpRun(JDK);

    @BeforeEach
    void measure() {
        run.figure(Benchmarks.ENGINE_THROUGHPUT, JDK, EngineCost.OFF, "units of work", 1.0, 10_000)
                .figure(Benchmarks.ENGINE_THROUGHPUT, JDK, Contest.STOCK, "units of work", 1.0, 8000)
                .figure(Benchmarks.ENGINE_THROUGHPUT, JDK, EngineCost.AGENT, "units of work", 1.0, 12_345)
                .figure(Benchmarks.ENGINE_COST, JDK, Contest.STOCK, "units of work", 1.0, 20)
                .figure(Benchmarks.ENGINE_COST, JDK, Contest.STOCK, "CPU time", 1.0, 23)
                .figure(Benchmarks.ENGINE_COST, JDK, EngineCost.AGENT, "units of work", 1.0, 0.2)
                .figure(Benchmarks.ENGINE_COST, JDK, EngineCost.AGENT, "CPU time", 1.0, 0.3)
                .charged(JDK, Contest.STOCK, 9_520, 9_930, 4)
                .charged(JDK, EngineCost.AGENT, 50, 0, 0)
                .distribution(Benchmarks.ENGINE_CALL, JDK, EngineCost.TIMER, EngineCost.TIMER, 1.0, 20, 20);
        for (TickTrap.Way way : TickTrap.Way.values()) {
            run.tickTrap(JDK, way, 1, 60, 18, 18);
        }
    }

    @Test
    void saysWhatTheClocksTakeOfTheProgram() {
        assertThat(new DemoReport(run.results()).toMarkdown())
                .contains(
                        "| 17.0.15 | threadclock by ThreadMXBean |  | 0.20 % (0.20 %–0.20 %) | 0.30 % (0.30 %–0.30 %) |");
    }

    @Test
    void comparesCallsAtEveryPercentile() {
        assertThat(new DemoReport(run.results()).toMarkdown())
                .contains("| 17.0.15 | user time | ratio |  | 190× | 190× | 190× | 190× | 190× | 190× | 190× |")
                .contains("| 17.0.15 | threadclock | 10,000 | 1.25 | 1.00 | 0 % | 0 | 0 |");
    }

    /** They were measured at another time: beside off and stock they would say how the machine has changed. */
    @Test
    void givesNoUnitsOfWorkOfTheHalfWithTheAgent() {
        assertThat(new DemoReport(run.results()).toMarkdown())
                .contains("10,000")
                .doesNotContain("12,345");
    }
}
