// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.lab.program.ReadingThreads;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.ResultsDraft;
import io.threadclock.lab.results.Subject;
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
    private final ResultsDraft draft;

    MemoryRun(Jdk jdk, AgentLibrary agent, Progress progress, ResultsDraft draft) {
        this.jdk = jdk;
        this.agent = agent;
        this.progress = progress;
        this.draft = draft;
    }

    void measure() {
        progress.stage(jdk + ": memory");
        try (BenchChild stock = start(ClockChoice.STOCK);
                BenchChild threadclock = start(ClockChoice.AUTO)) {
            for (int threads : List.of(1, MANY_THREADS)) {
                record(threads, use(threadclock, threads).minus(use(stock, threads)));
            }
        }
    }

    private void record(int threads, MemoryUse use) {
        use.bytesByPart().forEach((part, bytes) -> draft.add(
                new Subject(Benchmarks.MEMORY, jdk.version(), ClockChoice.AUTO.toString(), part, (double) threads),
                "B",
                bytes));
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
