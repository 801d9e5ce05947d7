// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

/** The questions that a run asks, by the names that results.json has for them. */
public final class Benchmarks {
    /** One read in C; the contenders are the rows of {@code make bench}. */
    public static final String NATIVE = "native";
    /** One call through ThreadMXBean in a plain loop. */
    public static final String LOOP = "loop";
    /** One call on many threads at once, each between two readings of a timer. */
    public static final String LATENCY = "latency";
    /** One call for the time of another thread. */
    public static final String BY_ID = "by-id";
    /** One call for the times of many threads, for each of them. */
    public static final String ARRAY = "array";
    /** The cost of the agent for a program that does not read times. */
    public static final String LIFECYCLE = "lifecycle";

    public static final String ATTACH = "attach";
    public static final String MEMORY = "memory";
    /** {@code ThreadsSnapshot.take()}. */
    public static final String SNAPSHOT = "snapshot";
    /** The cost of accounting virtual threads. */
    public static final String VIRTUAL = "virtual";
    /** A great many virtual threads, with accounts and without; the parameter is their number. */
    public static final String VIRTUAL_MANY = "virtual.many";
    /** A unit of work in a virtual thread by several clocks, over the number of busy carriers per CPU. */
    public static final String MOUNTED = "virtual.mounted";

    /** A span under OpenTelemetry's agent. */
    public static final String SPANS = "spans";

    /** The mean of one call, by JMH. */
    public static final String JMH_AVERAGE = "jmh.average";
    /** Single calls on one thread and on many, by JMH. */
    public static final String JMH_SAMPLE = "jmh.sample";
    /** The mean over the number of threads, by JMH. */
    public static final String JMH_THREADS = "jmh.threads";
    /** Stopwatches within one another, by JMH. */
    public static final String JMH_NESTING = "jmh.nesting";
    /** Bytes that one call allocates, by JMH. */
    public static final String JMH_ALLOCATION = "jmh.allocation";
    /** A database that attributes its work: units of work a second. */
    public static final String ENGINE_THROUGHPUT = "engine.throughput";
    /** The same: CPU time of a unit. */
    public static final String ENGINE_CPU = "engine.cpu";
    /** The same: what of throughput and of CPU time attribution takes, in %, block by block. */
    public static final String ENGINE_COST = "engine.cost";
    /** The same: how long a unit takes. */
    public static final String ENGINE_LATENCY = "engine.latency";
    /** The same: one call that reads a clock around a unit. */
    public static final String ENGINE_CALL = "engine.call";
    /** The same: what units were charged, and what is wrong with it. */
    public static final String ENGINE_CHARGES = "engine.charges";
    /** As {@link #ENGINE_THROUGHPUT}, and {@link #ENGINE_COST}, of virtual threads, the attributing one accounted. */
    public static final String SPLITS_THROUGHPUT = "virtual.splits.throughput";

    public static final String SPLITS_COST = "virtual.splits.cost";
    /** Where the wall time of requests goes. */
    public static final String REQUESTS = "requests";
    /** Programs that read thread clocks by libc, stock and with the library preloaded. */
    public static final String PRELOAD = "preload";
    /** Bursts of pure user work at phases of the clock tick, and what user time says of them. */
    public static final String TICK_TRAP = "tick-trap";
    /** Errors of the accuracy laboratory: this, and what one error is of. */
    public static final String ACCURACY = "accuracy.";
    /** The same for segments of virtual threads. */
    public static final String SEGMENTS = "accuracy.segments";
    /** The observations of a soak on one JDK. */
    public static final String SOAK = "soak";

    private Benchmarks() {}
}
