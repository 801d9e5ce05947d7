// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.BenchChild;
import io.threadclock.lab.demo.ProgramJvm;
import io.threadclock.lab.demo.program.TradeClient;
import io.threadclock.harness.Jdks;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real program in a JVM of its own, without the agent. About five seconds. */
class EngineProgramTest {
    private static final int ROWS = 60_000;

    @TempDir
    Path directory;

    @Test
    void worksASliceForEachTurnAndTimesEachUnitThatCounts() {
        try (BenchChild child = new BenchChild(
                "the engine",
                ProgramJvm.on(Jdks.running(), directory)
                        .mainClass(EngineProgram.class)
                        .arguments(directory.resolve("questdb").toString(), Integer.toString(ROWS)))) {
            List<Way> ways = List.of(Way.NONE, Way.STOPWATCH, Way.NONE, Way.THREAD_MX_BEAN);
            Turns turns = Turns.parse(child.ask(new TurnsRequest(ways, 3).toString()));
            assertThat(turns.slices()).extracting(Slice::way).isEqualTo(ways);
            assertThat(turns.slices()).allSatisfy(slice -> {
                assertThat(slice.wallNs()).isPositive();
                assertThat(slice.cpuNs()).isPositive().isLessThan(slice.wallNs() * 1.1);
            });
            assertThat(turns.unitNs().get(Way.NONE).getTotalCount()).isEqualTo(2L * 3 * TradeClient.CYCLE);
            assertThat(turns.unitNs().get(Way.STOPWATCH).getTotalCount()).isEqualTo(3L * TradeClient.CYCLE);
        }
    }
}
