// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.ReadingThreads;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.harness.SetupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Measures what the library takes in memory, by the difference of two JVMs alike but for the agent. */
final class MemoryRun {
    private static final int MANY_THREADS = 1001;

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final Progress progress;

    MemoryRun(Jdk jdk, AgentLibrary agent, Progress progress) {
        this.jdk = jdk;
        this.agent = agent;
        this.progress = progress;
    }

    /** @param source the source that the agent takes by itself here */
    MemoryMeasurement measure(String source) {
        progress.stage(jdk + ": memory");
        try (BenchChild stock = start(ClockChoice.STOCK);
                BenchChild threadclock = start(ClockChoice.AUTO)) {
            MemoryUse one = use(threadclock, 1).minus(use(stock, 1));
            MemoryUse many = use(threadclock, MANY_THREADS).minus(use(stock, MANY_THREADS));
            return new MemoryMeasurement(jdk, source, one, many, MANY_THREADS);
        }
    }

    private MemoryUse use(BenchChild child, int threads) {
        child.ask(Integer.toString(threads));
        Path smaps = Path.of("/proc", Long.toString(child.pid()), "smaps");
        try {
            List<Mapping> mappings = Mapping.parse(Files.readAllLines(smaps));
            return MemoryUse.of(mappings, agent.path().toRealPath());
        } catch (IOException refused) {
            throw new SetupException(
                    "Reading " + smaps + " failed: " + refused + ". Run the benchmark where /proc can be read.",
                    refused);
        }
    }

    private BenchChild start(ClockChoice clock) {
        return new BenchChild(jdk, ReadingThreads.class, clock.jvmOptions(agent));
    }
}
