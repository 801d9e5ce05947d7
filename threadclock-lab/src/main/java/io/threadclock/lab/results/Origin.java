// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import io.threadclock.harness.ClockTick;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.LoadAverage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The facts without which the figures mean nothing.
 *
 * @param command exactly as it was typed
 * @param startedAt ISO 8601, a date with or without a time
 * @param seconds how long it took
 * @param cpuModel as /proc/cpuinfo names it
 * @param virtual whether the CPU says that it runs under a hypervisor (x86 only)
 * @param cpus CPUs available to this JVM
 * @param ticksPerSecond measured HZ; null where it could not be measured
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
    private static final Pattern MODEL = Pattern.compile("(?m)^(?:model name|Hardware|CPU part)\\s*:\\s*(.+)$");
    private static final Pattern FLAGS = Pattern.compile("(?m)^flags\\s*:.*\\bhypervisor\\b");

    public Origin {
        runtimes = List.copyOf(runtimes);
    }

    /** That of the jar; none where classes are run as they were compiled. */
    private static String ownVersion() {
        String version = Origin.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /** Makes the part that is known when a run begins. */
    static Origin of(String cpuinfo, String osRelease, int cpus, OptionalLong ticksPerSecond) {
        Matcher model = MODEL.matcher(cpuinfo);
        return new Origin(
                ownVersion(),
                "",
                OffsetDateTime.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                0,
                model.find() ? model.group(1).strip() : System.getProperty("os.arch"),
                FLAGS.matcher(cpuinfo).find(),
                cpus,
                osRelease.strip(),
                ticksPerSecond.isPresent() ? ticksPerSecond.getAsLong() : null,
                LoadAverage.before().toString(),
                List.of());
    }

    /** One line: CPU, number of CPUs, kernel, HZ if measured, JDKs, date. */
    public String describe() {
        String hz = ticksPerSecond == null ? "" : ", HZ=" + ticksPerSecond;
        String jdks = runtimes.stream().map(jdk -> ", " + jdk).collect(Collectors.joining());
        return cpuModel + (virtual ? " (virtual machine)" : "") + ", " + cpus + (cpus == 1 ? " CPU" : " CPUs")
                + ", Linux " + kernel + hz + jdks + ", " + date();
    }

    /** Shorter, where README names the page that has the rest: CPU, number of CPUs, date. */
    public String describeBriefly() {
        return cpuModel + (virtual ? " (virtual machine)" : "") + ", " + cpus + (cpus == 1 ? " CPU" : " CPUs") + ", "
                + date();
    }

    private String date() {
        return startedAt.substring(0, "2026-11-21".length());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException absent) {
            return ""; // a container may hide it; the line then says less
        }
    }

    /** The begin of a run. To make one takes about 0.1 s, for the measurement of the tick. */
    public static final class Start {
        private final long beginNs = System.nanoTime();
        private final Origin begin = of(
                read(Path.of("/proc/cpuinfo")),
                read(Path.of("/proc/sys/kernel/osrelease")),
                java.lang.Runtime.getRuntime().availableProcessors(),
                ClockTick.perSecond());

        /** HZ; null where it could not be measured. */
        public Long ticksPerSecond() {
            return begin.ticksPerSecond;
        }

        public long elapsedMs() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
        }

        /** The run ends now. */
        public Origin end(String command, List<Runtime> runtimes) {
            return new Origin(
                    begin.version,
                    command,
                    begin.startedAt,
                    TimeUnit.MILLISECONDS.toSeconds(elapsedMs()),
                    begin.cpuModel,
                    begin.virtual,
                    begin.cpus,
                    begin.kernel,
                    begin.ticksPerSecond,
                    begin.loadBefore,
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
