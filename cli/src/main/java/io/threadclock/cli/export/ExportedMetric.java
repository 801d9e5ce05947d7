// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import static io.threadclock.cli.export.ExportedMetric.Attribute.KIND;
import static io.threadclock.cli.export.ExportedMetric.Attribute.MODE;
import static io.threadclock.cli.export.ExportedMetric.Attribute.POOL;
import static io.threadclock.cli.export.ExportedMetric.Attribute.WORK;

import java.util.List;

/**
 * The metrics of {@code threadclock export}. OpenTelemetry has their names, units and attributes as threadclock's
 * extension does, and Prometheus as the library's meters do. docs/export.md has the same list.
 */
enum ExportedMetric {
    JVM_READ("jvm.read", "1", "1 if the JVM was read when it was last looked at, 0 if not"),
    POOL_CPU_TIME("pool.cpu.time", "s", "CPU time of a pool's threads, in user or in system mode", POOL, MODE),
    POOL_RUN_DELAY("pool.run_delay", "s", "time in which a pool's threads wanted to run and had no CPU", POOL),
    POOL_NOT_RUNNING(
            "pool.not_running", "s", "time in which a pool's threads slept, or waited for anything but a CPU", POOL),
    POOL_THREADS("pool.threads", "{thread}", "living threads of a pool", POOL),
    JVM_CPU_TIME(
            "jvm.cpu.time",
            "s",
            "CPU time of the JVM's own threads: garbage collection, compilation, or the rest",
            KIND),
    VIRTUAL_CPU_TIME(
            "virtual.cpu.time",
            "s",
            "CPU time of a pool's measured virtual threads, which is a part of their carriers'",
            POOL,
            MODE),
    VIRTUAL_MOUNTS(
            "virtual.mounts", "{mount}", "how often a pool's measured virtual threads were mounted on a carrier", POOL),
    VIRTUAL_THREADS(
            "virtual.threads",
            "{thread}",
            "measured virtual threads of a pool that have been mounted and have not ended",
            POOL),
    PROCESS_CPU_TIME(
            "process.cpu.time",
            "s",
            "CPU time of the process, in user or in system mode; includes garbage collection and compilation",
            MODE),
    PROCESS_ALLOWED("process.allowed", "{cpu}", "CPUs on which the process may run, by affinity and cpuset"),
    CGROUP_QUOTA("cgroup.quota", "{cpu}", "the least CPU quota of the process's control groups, in CPUs"),
    CGROUP_PERIODS(
            "cgroup.periods", "{period}", "periods of the quota in which the control group's processes wanted to run"),
    CGROUP_THROTTLED_PERIODS("cgroup.throttled_periods", "{period}", "periods of the quota in which it was used up"),
    CGROUP_THROTTLED_TIME(
            "cgroup.throttled_time",
            "s",
            "time for which the control group's processes had to wait for the next period, added up over the CPUs"),
    MEASURING_CPU_TIME("measuring.cpu.time", "s", "CPU time spent on measuring: snapshots of threads", WORK);

    /** What a series is of, beside its JVM. */
    enum Attribute {
        POOL("pool", "threadclock.pool.name"),
        MODE("mode", "cpu.mode"),
        KIND("kind", "threadclock.thread.kind"),
        WORK("work", "threadclock.work");

        final String label;
        final String openTelemetrys;

        Attribute(String label, String openTelemetrys) {
            this.label = label;
            this.openTelemetrys = openTelemetrys;
        }
    }

    /**
     * The value of one series of a JVM.
     *
     * @param of the values of the metric's attributes, in their order
     */
    record Figure(ExportedMetric metric, double value, List<String> of) {}

    final String openTelemetrys;
    /** By UCUM. */
    final String unit;

    final String description;
    final List<Attribute> attributes;

    ExportedMetric(String name, String unit, String description, Attribute... attributes) {
        this.openTelemetrys = "threadclock." + name;
        this.unit = unit;
        this.description = description;
        this.attributes = List.of(attributes);
    }

    boolean isTime() {
        return unit.equals("s");
    }

    /** Whether it only grows. */
    boolean isCounter() {
        return isTime() || unit.equals("{mount}") || unit.equals("{period}");
    }

    /** Whether it is a number of things of a JVM, which adds up over JVMs. */
    boolean isNumber() {
        return isCounter() || unit.equals("{thread}");
    }

    /** Its name there, but for the suffix of counters. */
    String prometheus() {
        String suffix = isTime() ? "_seconds" : unit.equals("{cpu}") ? "_cpus" : "";
        return openTelemetrys.replace('.', '_') + suffix;
    }

    Figure figure(double value, String... of) {
        return new Figure(this, value, List.of(of));
    }
}
