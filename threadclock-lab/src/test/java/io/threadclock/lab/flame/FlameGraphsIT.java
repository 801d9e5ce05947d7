// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.flame;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.Progress;
import io.threadclock.lab.results.Results.FlameGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import one.convert.Arguments;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The real engine under the real profiler. About fifteen seconds. */
@DisabledIfSystemProperty(named = "threadclock.brief", matches = ".*", disabledReason = "a run in full")
class FlameGraphsIT {
    private static final int OLDEST_FEATURE = 17;
    private static final int FIRST_WITHOUT_PROC = 26;
    /** Enough for a few thousand samples. */
    private static final long PHASE_MS = 1500;
    /** On a busy machine a program gets so much less of it. */
    private static final long LONGEST_PHASE_MS = 30_000;

    private static final int SAMPLES_NEEDED = 100;

    @TempDir
    Path directory;

    @Test
    void showTheReadingOfProcInStockAndNoneOfItWithThreadclock() throws IOException {
        Jdk jdk = Jdks.onePerFeature(OLDEST_FEATURE).get(0);
        Assumptions.assumeTrue(jdk.feature() < FIRST_WITHOUT_PROC, "JDK 25 or older; there is " + jdk);
        FlameGraphs.Outcome outcome = writeWithEnoughSamples(jdk);
        assertThat(outcome.graphs())
                .extracting(FlameGraph::file)
                .containsExactly(
                        "flame-stock.html", "icicle-stock.html", "flame-threadclock.html", "icicle-threadclock.html");
        double stock = outcome.graphs().get(0).systemCallShare();
        assertThat(stock).as("share of stock's samples in system calls").isGreaterThan(0.02);
        assertThat(outcome.graphs().get(2).systemCallShare())
                .as("with threadclock")
                .isLessThan(stock / 10);
        assertThat(stacks("flame-stock.html").procShare()).as("of stock's page").isGreaterThan(0.02);
        assertThat(stacks("flame-threadclock.html").samples()).isGreaterThan(SAMPLES_NEEDED);
        assertThat(stacks("flame-threadclock.html").procShare())
                .as("of threadclock's page")
                .isZero();
        assertThat(Files.readString(directory.resolve("icicle-stock.html")))
                .as("what a page would load")
                .doesNotContainPattern("(src=|<link|url\\(|import )");
    }

    private FlameGraphs.Outcome writeWithEnoughSamples(Jdk jdk) throws IOException {
        AgentLibrary agent = AgentLibrary.in(Path.of(".."));
        FlameGraphs.Outcome outcome = FlameGraphs.write(jdk, agent, directory, PHASE_MS, Progress.onStderr());
        long phaseMs = PHASE_MS;
        while (stacks("flame-threadclock.html").samples() <= SAMPLES_NEEDED && phaseMs < LONGEST_PHASE_MS) {
            phaseMs *= 3;
            outcome = FlameGraphs.write(jdk, agent, directory, phaseMs, Progress.onStderr());
        }
        return outcome;
    }

    /** Reads back from a page what it shows. */
    private Stacks stacks(String page) throws IOException {
        Path collapsed = directory.resolve(page + ".collapsed");
        one.convert.FlameGraph.convert(
                directory.resolve(page).toString(), collapsed.toString(), new Arguments("--output", "collapsed"));
        return Stacks.parse(Files.readAllLines(collapsed));
    }
}
