// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static io.micrometer.core.instrument.Meter.Type.COUNTER;
import static io.micrometer.core.instrument.Meter.Type.GAUGE;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.docs.MeterDocumentation;
import io.threadclock.diagnostics.FailureLog;
import java.util.function.DoubleSupplier;

/**
 * All meters of this package: names, units and tags. docs/metrics.md has the same list.
 *
 * @since 0.1
 */
public enum ThreadClockMeter implements MeterDocumentation {
    /** The cost of the threads that live or have lived in a pool, from their start. */
    POOL_CPU_TIME(
            "threadclock.pool.cpu.time", "CPU time of a pool's threads, in user or in system mode", Key.POOL, Key.MODE),
    /** As {@link #POOL_CPU_TIME}. A wait counts when it is over. There is none where the kernel does not count it. */
    POOL_RUN_DELAY(
            "threadclock.pool.run.delay", "time in which a pool's threads wanted to run and had no CPU", Key.POOL),
    /** From when each thread is first seen; otherwise as {@link #POOL_RUN_DELAY}. */
    POOL_NOT_RUNNING(
            "threadclock.pool.not.running",
            "time in which a pool's threads slept, or waited for anything but a CPU",
            Key.POOL),
    /** The number at the last snapshot. */
    POOL_THREADS("threadclock.pool.threads", GAUGE, "threads", "living threads of a pool", Key.POOL),
    /** {@link io.threadclock.VirtualThreads#pools} tells all three figures. */
    VIRTUAL_CPU_TIME(
            "threadclock.virtual.cpu.time",
            "CPU time of a pool's measured virtual threads, which is a part of their carriers'",
            Key.POOL,
            Key.MODE),
    /** There is none for the carriers' rest. */
    VIRTUAL_MOUNTS(
            "threadclock.virtual.mounts",
            COUNTER,
            null,
            "how often a pool's measured virtual threads were mounted on a carrier",
            Key.POOL),
    /** There is none for the carriers' rest. */
    VIRTUAL_THREADS(
            "threadclock.virtual.threads",
            GAUGE,
            "threads",
            "measured virtual threads of a pool that have been mounted and have not ended",
            Key.POOL),
    /** The cost of all threads, the JVM's own too. */
    PROCESS_CPU_TIME(
            "threadclock.process.cpu.time",
            "CPU time of the process, in user or in system mode; includes garbage collection and compilation",
            Key.MODE),
    /** The threads that no pool has: {@link io.threadclock.JvmCpuTimes}. */
    JVM_CPU_TIME(
            "threadclock.jvm.cpu.time",
            "CPU time of the JVM's own threads: garbage collection, compilation, or the rest",
            Key.KIND),
    /** The least one: {@link io.threadclock.CpuQuota#tightest()} tells all four figures of the control group. */
    CGROUP_QUOTA(
            "threadclock.cgroup.quota", GAUGE, "cpus", "the least CPU quota of the process's control groups, in CPUs"),
    /** Mostly of 100 ms. */
    CGROUP_PERIODS(
            "threadclock.cgroup.periods",
            COUNTER,
            null,
            "periods of the quota in which the control group's processes wanted to run"),
    /** Their part of {@link #CGROUP_PERIODS} tells how often the quota is too small. */
    CGROUP_THROTTLED_PERIODS(
            "threadclock.cgroup.throttled.periods", COUNTER, null, "periods of the quota in which it was used up"),
    /** Each CPU counts on which they would have run. */
    CGROUP_THROTTLED_TIME(
            "threadclock.cgroup.throttled.time",
            "time for which the control group's processes had to wait for the next period, added up over the CPUs"),
    /** If it is 0, pools and tasks have the JDK's figures, and the process and the clock's health have no meters. */
    SUPPORTED("threadclock.supported", GAUGE, null, "1 if the clock can be read here, 0 if not"),
    /** There is one series for each source, so that a change is visible. */
    SOURCE("threadclock.source", GAUGE, null, "1 for the source in use, 0 for every other source", Key.SOURCE),
    /** For all threads that read themselves. */
    RESYNCS(
            "threadclock.resyncs",
            COUNTER,
            null,
            "readings that asked the kernel, by cause; all others only read the counter",
            Key.CAUSE),
    /** See {@link #RESYNCS}. */
    RESYNCS_LOST(
            "threadclock.resyncs.lost",
            COUNTER,
            null,
            "resyncs that were disturbed three times; the next reading asks the kernel again"),
    /** Each demotion is a bug of threadclock or of the kernel. */
    DEMOTIONS("threadclock.demotions", COUNTER, null, "sources given up because they missed a context switch"),
    /** The split of those that cannot be sampled is a guess. */
    SUSPECTED(
            "threadclock.suspected",
            GAUGE,
            "threads",
            "threads that sleep too often to be divided by clock ticks, by whether they can be sampled",
            Key.SAMPLED),
    /** What snapshots of threads cost, as measured by the thread that takes them. */
    MEASURING_CPU_TIME("threadclock.measuring.cpu.time", "CPU time spent on measuring: snapshots of threads", Key.WORK),
    /** Beside Micrometer's own timer {@code executor}. */
    EXECUTOR_CPU_TIME("executor.cpu.time", "CPU time of tasks, in user or in system mode", Key.NAME, Key.MODE),
    /** The mean cost of a task is the CPU time divided by this. */
    EXECUTOR_CPU_TASKS("executor.cpu.tasks", COUNTER, "tasks", "tasks whose CPU time was measured", Key.NAME),
    /** Tasks in virtual threads that are not measured, or without a supported clock. */
    EXECUTOR_CPU_UNMEASURED(
            "executor.cpu.unmeasured",
            COUNTER,
            "tasks",
            "tasks that ran in threads whose CPU time cannot be read",
            Key.NAME),
    /** What a key's parts have used: {@link CostsByKeyMetrics}. */
    KEY_CPU_TIME("threadclock.key.cpu.time", "CPU time of a key, in user or system mode", Key.NAME, Key.KEY, Key.MODE),
    /** Counts when a part ends: {@link #KEY_UNKNOWN_WAITS}. */
    KEY_RUN_DELAY("threadclock.key.run.delay", "time in which a key's threads waited for a CPU", Key.NAME, Key.KEY),
    /** As {@link #KEY_RUN_DELAY}. */
    KEY_NOT_RUNNING("threadclock.key.not.running", "time in which a key's threads slept", Key.NAME, Key.KEY),
    /** The mean cost of a part is the CPU time divided by this. */
    KEY_PARTS("threadclock.key.parts", COUNTER, null, "parts of a key that have begun", Key.NAME, Key.KEY),
    /** Falls when a part ends whose times are known then. */
    KEY_UNMEASURED("threadclock.key.unmeasured", GAUGE, null, "parts of unknown CPU time", Key.NAME, Key.KEY),
    /** As {@link #KEY_UNMEASURED}. */
    KEY_UNKNOWN_WAITS("threadclock.key.unknown.waits", GAUGE, null, "parts of unknown waits", Key.NAME, Key.KEY);

    private final String name;
    private final Meter.Type type;
    private final String baseUnit;
    private final String description;
    private final Key[] keys;

    /** A counter in seconds. */
    ThreadClockMeter(String name, String description, Key... keys) {
        this(name, COUNTER, "seconds", description, keys);
    }

    ThreadClockMeter(String name, Meter.Type type, String baseUnit, String description, Key... keys) {
        this.name = name;
        this.type = type;
        this.baseUnit = baseUnit;
        this.description = description;
        this.keys = keys;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public Meter.Type getType() {
        return type;
    }

    /** {@return the base unit; null for a count without one} */
    @Override
    public String getBaseUnit() {
        return baseUnit;
    }

    @Override
    public KeyName[] getKeyNames() {
        return keys.clone();
    }

    /** {@return the meter's description, in a few words} */
    public String description() {
        return description;
    }

    /** The id under which a registry finds it. */
    Meter.Id id(Tags tags) {
        return new Meter.Id(name, tags, baseUnit, description, type);
    }

    /** Registers a counter in seconds, of a time in ns. */
    void time(MeterRegistry registry, Tags tags, NanoTime ns) {
        count(registry, tags, () -> ns.asLong() / 1e9);
    }

    /** Registers one for each mode. */
    void times(MeterRegistry registry, Tags tags, NanoTime userNs, NanoTime systemNs) {
        times(name, registry, tags, userNs, systemNs);
    }

    void times(String otherName, MeterRegistry registry, Tags tags, NanoTime userNs, NanoTime systemNs) {
        count(otherName, registry, tags.and(Key.MODE.is("user")), () -> userNs.asLong() / 1e9);
        count(otherName, registry, tags.and(Key.MODE.is("system")), () -> systemNs.asLong() / 1e9);
    }

    void count(MeterRegistry registry, Tags tags, DoubleSupplier count) {
        count(name, registry, tags, count);
    }

    /** The function is held strongly. Micrometer holds the object of a function weakly. */
    void count(String otherName, MeterRegistry registry, Tags tags, DoubleSupplier count) {
        LastCount last = new LastCount(otherName, count);
        FunctionCounter.builder(otherName, this, meter -> last.now())
                .description(description)
                .baseUnit(baseUnit)
                .tags(tags)
                .register(registry);
    }

    void level(MeterRegistry registry, Tags tags, DoubleSupplier level) {
        Gauge.builder(name, this, meter -> level.getAsDouble())
                .description(description)
                .baseUnit(baseUnit)
                .tags(tags)
                .register(registry);
    }

    /** The tags' keys. */
    public enum Key implements KeyName {
        /** A thread pool's name: {@link ThreadPoolMetrics}. */
        POOL("pool"),
        /** {@code user} or {@code system}. */
        MODE("mode"),
        /** A {@link io.threadclock.JvmThreadKind}, in lower case. */
        KIND("kind"),
        /** A {@link io.threadclock.ClockSource}, in lower case. */
        SOURCE("source"),
        /** A {@link io.threadclock.diagnostics.ResyncCause}, in lower case. */
        CAUSE("cause"),
        /** {@code snapshots}. */
        WORK("work"),
        /** {@code yes} or {@code no}. */
        SAMPLED("sampled"),
        /** An executor's name, or what the keys of {@link CostsByKeyMetrics} are. */
        NAME("name"),
        /** One of them, in words. */
        KEY("key");

        private final String key;

        Key(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }

        Tag is(String tag) {
            return Tag.of(key, tag);
        }
    }

    /**
     * A count, or the last one if asking for it fails: the registry that asks would fail as a whole. (It asks gauges
     * with more care.)
     */
    private static final class LastCount {
        private static final FailureLog FAILURES = new FailureLog("Counters keep their last values.");

        private final String name;
        private final DoubleSupplier count;
        private volatile double last;

        LastCount(String name, DoubleSupplier count) {
            this.name = name;
            this.count = count;
        }

        double now() {
            try {
                last = count.getAsDouble();
            } catch (Throwable failed) { // the kernel refuses, no memory
                FAILURES.report("Reading " + name, failed);
            }
            return last;
        }
    }

    /** A time in ns. */
    interface NanoTime {
        long asLong();
    }
}
