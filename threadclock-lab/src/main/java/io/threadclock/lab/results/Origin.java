// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import io.threadclock.harness.Jdk;
import io.threadclock.harness.LoadAverage;
import io.threadclock.harness.Machine;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The facts without which the figures mean nothing.
 *
 * @param command exactly as it was typed
 * @param startedAt ISO 8601, a date with or without a time
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

    /** That of the jar; none where classes are run as they were compiled. */
    private static String ownVersion() {
        String version = Origin.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /** One line: CPU, number of CPUs, kernel, HZ if measured, JDKs, date. */
    public String describe() {
        OptionalLong hz = ticksPerSecond == null ? OptionalLong.empty() : OptionalLong.of(ticksPerSecond);
        LocalDate date = LocalDate.parse(startedAt.substring(0, "2026-11-21".length()));
        return new Machine(cpuModel, virtual, cpus, kernel, hz, date).describe(runtimes);
    }

    /** What a run begins with, and what is known of the machine then. */
    public static final class Start {
        private final String startedAt =
                OffsetDateTime.now().truncatedTo(ChronoUnit.SECONDS).toString();
        private final long beginNs = System.nanoTime();
        private final String load = LoadAverage.before().toString();
        private final Machine machine = Machine.current();

        /** HZ, where it could be measured. */
        public OptionalLong ticksPerSecond() {
            return machine.ticksPerSecond();
        }

        public long elapsedMs() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
        }

        /** The run ends now. */
        public Origin end(String command, List<Runtime> runtimes) {
            return new Origin(
                    ownVersion(),
                    command,
                    startedAt,
                    TimeUnit.MILLISECONDS.toSeconds(elapsedMs()),
                    machine.cpuModel(),
                    machine.virtual(),
                    machine.cpus(),
                    machine.kernel(),
                    machine.ticksPerSecond().isPresent()
                            ? machine.ticksPerSecond().getAsLong()
                            : null,
                    load,
                    runtimes);
        }
    }

    /**
     * @param source the clock source that threadclock took there
     * @param binding how its library reaches the native one there: JNI or FFM
     */
    public record Runtime(String version, String vendor, String source, String binding) {
        public int feature() {
            return Jdk.featureOf(version);
        }

        /** {@code JDK 25.0.1 (Eclipse Adoptium)}. */
        @Override
        public String toString() {
            return "JDK " + version + (vendor.isEmpty() ? "" : " (" + vendor + ")");
        }
    }
}
