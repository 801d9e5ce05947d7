// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The facts without which a measured number means nothing.
 *
 * @param cpuModel as /proc/cpuinfo names it
 * @param virtual whether the CPU says that it runs under a hypervisor (x86 only)
 * @param cpus CPUs available to this JVM
 * @param kernel the kernel release
 * @param ticksPerSecond measured HZ, empty where it could not be measured
 */
public record Machine(
        String cpuModel, boolean virtual, int cpus, String kernel, OptionalLong ticksPerSecond, LocalDate date) {
    private static final Pattern MODEL = Pattern.compile("(?m)^(?:model name|Hardware|CPU part)\\s*:\\s*(.+)$");
    private static final Pattern FLAGS = Pattern.compile("(?m)^flags\\s*:.*\\bhypervisor\\b");

    /** The machine that this JVM runs on, today. Takes about 0.1 s for the measurement of the tick. */
    public static Machine current() {
        return of(
                read(Path.of("/proc/cpuinfo")),
                read(Path.of("/proc/sys/kernel/osrelease")),
                Runtime.getRuntime().availableProcessors(),
                ClockTick.perSecond(),
                LocalDate.now());
    }

    static Machine of(String cpuinfo, String osRelease, int cpus, OptionalLong ticksPerSecond, LocalDate date) {
        Matcher model = MODEL.matcher(cpuinfo);
        String cpuModel = model.find() ? model.group(1).strip() : System.getProperty("os.arch");
        return new Machine(cpuModel, FLAGS.matcher(cpuinfo).find(), cpus, osRelease.strip(), ticksPerSecond, date);
    }

    /** One line: CPU, number of CPUs, kernel, HZ if measured, the JDKs given, date. */
    public String describe(List<?> jdks) {
        String hz = ticksPerSecond.isPresent() ? ", HZ=" + ticksPerSecond.getAsLong() : "";
        String runtimes =
                jdks.isEmpty() ? "" : ", " + jdks.stream().map(Object::toString).collect(Collectors.joining(", "));
        return cpuModel + (virtual ? " (virtual machine)" : "") + ", " + cpus + (cpus == 1 ? " CPU" : " CPUs")
                + ", Linux " + kernel + hz + runtimes + ", " + date;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException absent) {
            return ""; // a container may hide it; the line then says less
        }
    }
}
