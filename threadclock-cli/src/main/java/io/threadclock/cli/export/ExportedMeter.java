// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import io.threadclock.micrometer.ThreadClockMeter;

/** The meters of {@code threadclock export}. What the library has, too, is called as there. docs/export.md has the same list. */
enum ExportedMeter {
    POOL_CPU_TIME(ThreadClockMeter.POOL_CPU_TIME),
    POOL_RUN_DELAY(ThreadClockMeter.POOL_RUN_DELAY),
    POOL_NOT_RUNNING(ThreadClockMeter.POOL_NOT_RUNNING),
    POOL_SWITCHES("threadclock.pool.switches", null, "how often a pool's threads were switched to a CPU"),
    POOL_THREADS(ThreadClockMeter.POOL_THREADS),
    JVM_CPU_TIME(ThreadClockMeter.JVM_CPU_TIME),
    VIRTUAL_CPU_TIME(ThreadClockMeter.VIRTUAL_CPU_TIME),
    VIRTUAL_MOUNTS(ThreadClockMeter.VIRTUAL_MOUNTS),
    VIRTUAL_THREADS(ThreadClockMeter.VIRTUAL_THREADS),
    PROCESS_CPU_TIME(ThreadClockMeter.PROCESS_CPU_TIME),
    PROCESS_ALLOWED("threadclock.process.allowed", "cpus", "CPUs on which the process may run, by affinity and cpuset"),
    CGROUP_QUOTA(ThreadClockMeter.CGROUP_QUOTA),
    CGROUP_PERIODS(ThreadClockMeter.CGROUP_PERIODS),
    CGROUP_THROTTLED_PERIODS(ThreadClockMeter.CGROUP_THROTTLED_PERIODS),
    CGROUP_THROTTLED_TIME(ThreadClockMeter.CGROUP_THROTTLED_TIME),
    MEASURING_CPU_TIME(ThreadClockMeter.MEASURING_CPU_TIME);

    final String meter;
    /** Null: none. */
    final String unit;

    final String description;

    ExportedMeter(String meter, String unit, String description) {
        this.meter = meter;
        this.unit = unit;
        this.description = description;
    }

    ExportedMeter(ThreadClockMeter librarys) {
        this(librarys.getName(), librarys.getBaseUnit(), librarys.description());
    }
}
