// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.results;

import java.util.List;

/**
 * The facts without which the figures mean nothing.
 *
 * @param command exactly as it was typed
 * @param startedAt ISO 8601, with its offset
 * @param seconds how long it took
 * @param ticksPerSecond HZ; null where it could not be measured
 * @param loadBefore load average before the run
 * @param runtimes the JDKs, oldest first
 */
public record Origin(
        String version,
        String command,
        String startedAt,
        long seconds,
        String cpuModel,
        boolean virtual,
        int cpus,
        String kernel,
        Long ticksPerSecond,
        String loadBefore,
        List<Runtime> runtimes) {
    public Origin {
        runtimes = List.copyOf(runtimes);
    }

    /**
     * @param source the clock source that threadclock took there
     * @param binding how its library reaches the native one there: JNI or FFM
     */
    public record Runtime(String version, String vendor, String source, String binding) {}
}
