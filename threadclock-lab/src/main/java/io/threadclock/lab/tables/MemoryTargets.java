// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Results;
import io.threadclock.harness.Figure;
import java.util.List;

/** What the library may take in memory. */
final class MemoryTargets {
    private static final long PROCESS_BYTES = 64 * 1024;
    private static final double THREAD_BYTES = 256;

    private final Results results;

    MemoryTargets(Results results) {
        this.results = results;
    }

    List<Target> targets() {
        return results.of(Benchmarks.MEMORY).isEmpty() ? List.of() : targets(Memory.of(results));
    }

    private static List<Target> targets(Memory memory) {
        long processBytes = memory.ownBytes(memory.few());
        return List.of(
                new Target(
                        "memory of the process, bytes",
                        "≤ " + Figure.count(PROCESS_BYTES),
                        Figure.count(processBytes),
                        "",
                        Target.atMost(PROCESS_BYTES, processBytes)),
                new Target(
                        "memory of a thread, bytes",
                        "≤ " + Figure.count((long) THREAD_BYTES),
                        Figure.ns(memory.bytesPerThread()),
                        "",
                        Target.atMost(THREAD_BYTES, memory.bytesPerThread())));
    }
}
