// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.docs.MeterDocumentation;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/** All meters of this package: names, units and tags. docs/metrics.md has the same list. */
public enum ThreadClockMeter implements MeterDocumentation {
    /** The cost of the threads that live or have lived in a pool, from their start. */
    POOL_CPU_TIME(
            "threadclock.pool.cpu.time",
            Meter.Type.COUNTER,
            "seconds",
            "CPU time of a pool's threads, in user or in system mode",
            Key.POOL,
            Key.MODE),
    /** As of the last snapshot. */
    POOL_THREADS("threadclock.pool.threads", Meter.Type.GAUGE, "threads", "living threads of a pool", Key.POOL),
    /** The cost of all threads, the JVM's own too. */
    PROCESS_CPU_TIME(
            "threadclock.process.cpu.time",
            Meter.Type.COUNTER,
            "seconds",
            "CPU time of the process, in user or in system mode; includes garbage collection and compilation",
            Key.MODE),
    /** Where it is 0 no other meter is there. */
    SUPPORTED("threadclock.supported", Meter.Type.GAUGE, null, "1 if the clock can be read here, 0 if not"),
    /** One of each source, so that a change of it is seen. */
    SOURCE(
            "threadclock.source",
            Meter.Type.GAUGE,
            null,
            "1 for the source in use, 0 for every other source",
            Key.SOURCE),
    /** Measured by a thread of this package, each 10 s unless told otherwise. */
    READ_LATENCY(
            "threadclock.read.latency",
            Meter.Type.GAUGE,
            "seconds",
            "median wall time of a reading right after another reading, or right after a context switch",
            Key.AFTER),
    /** In all threads that read themselves. */
    RESYNCS(
            "threadclock.resyncs",
            Meter.Type.COUNTER,
            null,
            "readings that asked the kernel, by cause; all others only read the counter",
            Key.CAUSE),
    /** See {@link #RESYNCS}. */
    RESYNCS_LOST(
            "threadclock.resyncs.lost",
            Meter.Type.COUNTER,
            null,
            "resyncs that were disturbed three times; the next reading asks the kernel again"),
    /**
     * An estimate: the resyncs are counted exactly, and each is taken for as many calls as its cause makes likely. Other
     * threads' readings, one to three calls for each thread that is looked at, are not in it.
     */
    SYSTEM_CALLS(
            "threadclock.system.calls",
            Meter.Type.COUNTER,
            null,
            "system calls of these resyncs, estimated from their causes"),
    /** Each is a bug of threadclock's or of the kernel's. */
    DEMOTIONS(
            "threadclock.demotions", Meter.Type.COUNTER, null, "sources given up because they missed a context switch"),
    /** They hold a record of 320 bytes each. */
    READERS("threadclock.readers", Meter.Type.GAUGE, "threads", "living threads that have read themselves"),
    /** They work in step with the clock tick. What is told of those that cannot be sampled is a guess. */
    SUSPECTED(
            "threadclock.suspected",
            Meter.Type.GAUGE,
            "threads",
            "threads whose clock ticks cannot be trusted now, by whether they can be sampled instead",
            Key.SAMPLED),
    /**
     * Its share of {@link #PROCESS_CPU_TIME} is what measuring costs. Snapshots and probes as measured by their threads;
     * resyncs and reads estimated: their count, at what {@link #READ_LATENCY} was then.
     */
    MEASURING_CPU_TIME(
            "threadclock.measuring.cpu.time",
            Meter.Type.COUNTER,
            "seconds",
            "CPU time spent on measuring: resyncs and counted reads (estimated), snapshots of threads, latency probes",
            Key.WORK),
    /** Beside Micrometer's own timer {@code executor}. */
    EXECUTOR_CPU_TIME(
            "executor.cpu.time",
            Meter.Type.COUNTER,
            "seconds",
            "CPU time of tasks, in user or in system mode",
            Key.NAME,
            Key.MODE),
    /** The mean of a task is the quotient by this. */
    EXECUTOR_CPU_TASKS(
            "executor.cpu.tasks", Meter.Type.COUNTER, "tasks", "tasks whose CPU time was measured", Key.NAME),
    /** In virtual threads that are not accounted, and where the clock is not supported. */
    EXECUTOR_CPU_UNMEASURED(
            "executor.cpu.unmeasured",
            Meter.Type.COUNTER,
            "tasks",
            "tasks that ran in threads whose CPU time cannot be read",
            Key.NAME);

    private final String name;
    private final Meter.Type type;
    private final String baseUnit;
    private final String description;
    private final Key[] keys;

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

    /** {@return the base unit; null of what is a count without one} */
    @Override
    public String getBaseUnit() {
        return baseUnit;
    }

    @Override
    public KeyName[] getKeyNames() {
        return keys.clone();
    }

    /** {@return what is measured, in a few words: the meter's description} */
    public String description() {
        return description;
    }

    /** In seconds, of what is counted in ns. */
    FunctionCounter.Builder<?> timeCounter(NanoTime ns) {
        return timeCounter(name, ns);
    }

    /** The same under another name. */
    FunctionCounter.Builder<?> timeCounter(String otherName, NanoTime ns) {
        return counter(otherName, () -> ns.asLong() / 1e9);
    }

    /** As a registry is asked for it. */
    Meter.Id id(Tags tags) {
        return new Meter.Id(name, tags, baseUnit, description, type);
    }

    FunctionCounter.Builder<?> counter(DoubleSupplier count) {
        return counter(name, count);
    }

    /** The function is held strongly, which Micrometer does not do with what it is applied to. */
    FunctionCounter.Builder<?> counter(String otherName, DoubleSupplier count) {
        return FunctionCounter.builder(otherName, this, meter -> count.getAsDouble())
                .description(description)
                .baseUnit(baseUnit);
    }

    Gauge.Builder<?> gauge(DoubleSupplier level) {
        return Gauge.builder(name, this, meter -> level.getAsDouble())
                .description(description)
                .baseUnit(baseUnit);
    }

    TimeGauge.Builder<?> timeGauge(DoubleSupplier ns) {
        return TimeGauge.builder(name, this, TimeUnit.NANOSECONDS, meter -> ns.getAsDouble())
                .description(description);
    }

    /** The tags' keys. */
    public enum Key implements KeyName {
        /** A thread pool's name: {@link ThreadPoolMetrics}. */
        POOL("pool"),
        /** {@code user} or {@code system}. */
        MODE("mode"),
        /** A {@link io.threadclock.ClockSource}, in small letters. */
        SOURCE("source"),
        /** The event that the reading followed: {@code read} or {@code switch}. */
        AFTER("after"),
        /** A {@link io.threadclock.ResyncCause}, in small letters. */
        CAUSE("cause"),
        /** {@code resyncs}, {@code reads}, {@code snapshots} or {@code probes}. */
        WORK("work"),
        /** {@code yes} or {@code no}. */
        SAMPLED("sampled"),
        /** An executor's name. */
        NAME("name");

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

    /** A time in ns. */
    interface NanoTime {
        long asLong();
    }
}
