// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.Progress;
import io.threadclock.lab.NativeMake;
import io.threadclock.lab.program.SegmentLoad;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.ResultsDraft;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The laboratory's short run of virtual threads, on this machine as it is.
 *
 * <p>The bounds hold on a busy machine, too. What delays a carrier between the kernel's reading and the account's makes the readings
 * differ more, and never puts the account beyond them; only what a hypervisor takes does, which the counter counts for one window and
 * the kernel does not. It takes it from a few segments, not from half of them, unless it takes more than {@link #MOST_STOLEN}; and the
 * sum of all accounts may be too large by all that it has taken.
 */
class SegmentAccuracyIT {
    private static final double MOST_MEDIAN_ERROR_NS = 500;
    private static final double MOST_UNCONSERVED = 0.001;
    /** The share of the CPUs' time in which a host may withhold them. */
    private static final double MOST_STOLEN = 0.02;

    private static final double NS_PER_TICK = 1e7;
    private static final int STOLEN = 8;

    static Stream<Jdk> jdks() {
        List<Jdk> all = Jdks.onePerFeature(SegmentAccuracy.OLDEST_FEATURE);
        boolean isBrief = System.getProperty("threadclock.brief") != null;
        return isBrief && !all.isEmpty() ? Stream.of(all.get(all.size() - 1)) : all.stream();
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("jdks")
    void theAccountsOfVirtualThreadsAreTheirCarriersCpuTime(Jdk jdk) throws IOException {
        double stolenBeforeNs = stolenNs();
        long beginNs = System.nanoTime();
        Results results = measured(jdk);
        double stolenNs = stolenNs() - stolenBeforeNs;
        double cpusNs =
                (double) (System.nanoTime() - beginNs) * Runtime.getRuntime().availableProcessors();
        Assumptions.assumeTrue(stolenNs <= MOST_STOLEN * cpusNs, "a host that leaves the CPUs to this machine");
        for (SegmentLoad load : SegmentLoad.values()) {
            assertThat(of(results, jdk, load, SegmentAccuracy.ERROR).at(50))
                    .as("median error of a segment beyond the kernel's readings, ns; %s", load)
                    .isLessThanOrEqualTo(MOST_MEDIAN_ERROR_NS);
            Measurement segments = of(results, jdk, load, SegmentAccuracy.SEGMENT);
            double accountsNs = segments.mean() * segments.samples();
            assertThat(unconserved(of(results, jdk, load, SegmentAccuracy.CONSERVATION)))
                    .as("part of the carriers' time that is missing, or told twice; %s", load)
                    .isLessThanOrEqualTo(MOST_UNCONSERVED + stolenNs / accountsNs);
        }
    }

    /** An error is only what exceeds that which the distance of the kernel's readings leaves open. */
    private static double unconserved(Measurement percent) {
        double certain = Math.abs(percent.mean()) - percent.statistics().get(SegmentAccuracy.SPREAD);
        return Math.max(0, certain) / 100;
    }

    private static Results measured(Jdk jdk) {
        Path home = Path.of("..").toAbsolutePath().normalize();
        ResultsDraft draft = new ResultsDraft();
        try (Progress progress = Progress.onStderr()) {
            new SegmentAccuracy(AgentLibrary.in(home), new NativeMake(home).bareClocks(), draft)
                    .measure(jdk, true, progress);
        }
        return draft.finish(new Origin.Start().end("accuracy --virtual --quick", List.of()));
    }

    private static Measurement of(Results results, Jdk jdk, SegmentLoad load, String quantity) {
        return results.find(SegmentAccuracy.subject(jdk, load, quantity)).orElseThrow();
    }

    /** Time that hypervisors have taken from all CPUs. */
    private static double stolenNs() throws IOException {
        String all = Files.readAllLines(Path.of("/proc/stat")).get(0);
        return NS_PER_TICK * Double.parseDouble(all.split(" +")[STOLEN]);
    }
}
