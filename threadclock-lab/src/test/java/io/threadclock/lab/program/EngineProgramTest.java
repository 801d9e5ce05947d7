// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.harness.Exchange;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import io.threadclock.lab.program.EngineProgram.Slice;
import io.threadclock.lab.program.EngineProgram.Way;
import io.threadclock.lab.question.ProgramJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real program in a JVM of its own, without the agent. About five seconds. */
class EngineProgramTest {
    private static final int ROWS = 60_000;

    @TempDir
    Path directory;

    @Test
    void worksASliceForEachTurnAndTimesEachUnitThatCounts() {
        try (Exchange child = engine(Jdks.running())) {
            List<Way> ways = List.of(Way.NONE, Way.STOPWATCH, Way.NONE, Way.THREAD_MX_BEAN, Way.JUDGED);
            EngineProgram.Done done =
                    child.ask(new EngineProgram.Turns(ways, 3), EngineProgram.Done.class, Duration.ofMinutes(2));
            assertThat(done.slices()).extracting(Slice::way).isEqualTo(ways);
            assertThat(done.slices()).allSatisfy(slice -> {
                assertThat(slice.wallNs()).isPositive();
                assertThat(slice.cpuNs()).isPositive().isLessThan(slice.wallNs() * 1.1);
            });
            assertThat(count(done.unitNs().get(Way.NONE))).isEqualTo(2L * 3 * TradeClient.CYCLE);
            assertThat(count(done.unitNs().get(Way.STOPWATCH))).isEqualTo(3L * TradeClient.CYCLE);
            assertThat(done.judged().charges().units()).as("with the lead").isEqualTo(3L * TradeClient.CYCLE + 2);
            assertThat(count(done.judged().userCallNs()))
                    .isEqualTo(2 * done.judged().charges().units());
        }
    }

    /** The stopwatch's threads would be refused if they were not accounted. */
    @Test
    void worksOnSplitsThatTakeTurns() {
        Optional<Jdk> newest =
                Jdks.onePerFeature(LivesOfThreads.OLDEST_WITH_VIRTUAL).stream().reduce((older, newer) -> newer);
        assumeThat(newest).as("a JDK with virtual threads").isPresent();
        try (Exchange child = engine(newest.get(), EngineProgram.VIRTUAL)) {
            List<Way> ways = List.of(Way.NONE, Way.STOPWATCH);
            EngineProgram.Done done =
                    child.ask(new EngineProgram.Turns(ways, 3), EngineProgram.Done.class, Duration.ofMinutes(2));
            assertThat(done.slices()).extracting(Slice::way).isEqualTo(ways);
            assertThat(done.slices())
                    .allSatisfy(slice -> assertThat(slice.wallNs()).isPositive());
            assertThat(count(done.unitNs().get(Way.STOPWATCH))).isEqualTo(3L * TradeClient.CYCLE);
        }
    }

    private Exchange engine(Jdk jdk, String... options) {
        List<String> arguments =
                new ArrayList<>(List.of(directory.resolve("questdb").toString(), Integer.toString(ROWS)));
        arguments.addAll(List.of(options));
        return new Exchange(
                "the engine",
                ProgramJvm.on(jdk, directory)
                        .mainClass(EngineProgram.class)
                        .arguments(arguments.toArray(String[]::new)));
    }

    private static long count(String histogram) {
        return HistogramText.parse(histogram).getTotalCount();
    }
}
