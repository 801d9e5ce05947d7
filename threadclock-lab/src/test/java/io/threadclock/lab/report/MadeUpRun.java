// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.lab.question.EngineCost;
import io.threadclock.lab.question.Footprint.MemoryParts;
import io.threadclock.lab.question.SpanPrice;
import io.threadclock.lab.question.ThreadLives;
import io.threadclock.lab.question.TickTrap;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.ResultsDraft;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** Made-up figures on a machine with 2 CPUs whose counter takes 10 ns. */
final class MadeUpRun {
    static final double COUNTER_NS = 10;
    static final double SYSTEM_CALL_NS = 200;
    static final double BUSY_NS = 410;

    private static final double NS_PER_MS = 1e6;

    private static final List<String> QUANTITIES = List.of("user time", "CPU time");
    private static final List<String> NEIGHBOURS = List.of("asleep", "busy", "busy, reads itself");
    private static final List<Double> ARRAY_SIZES = List.of(10.0, 100.0, 1000.0, 5000.0);

    private final ResultsDraft draft = new ResultsDraft();
    private final List<Origin.Runtime> runtimes;

    MadeUpRun(String... jdks) {
        runtimes = Arrays.stream(jdks)
                .map(jdk -> new Origin.Runtime(jdk, "Debian", "rseq", "JNI"))
                .toList();
        figure(Benchmarks.NATIVE, "", "bare counter (rdtsc)", "read", null, COUNTER_NS);
        figure(Benchmarks.NATIVE, "", "CLOCK_THREAD_CPUTIME_ID", "read", null, SYSTEM_CALL_NS);
        figure(Benchmarks.NATIVE, "", "asleep: SCHED clock id", "read", null, SYSTEM_CALL_NS);
        figure(Benchmarks.NATIVE, "", "busy: SCHED clock id", "read", null, BUSY_NS);
    }

    MadeUpRun figure(
            String benchmark, String jdk, String contender, String quantity, Double parameter, double... rounds) {
        Subject subject = new Subject(benchmark, jdk, contender, quantity, parameter);
        draft.add(Measurement.of(
                subject, unit(benchmark), Arrays.stream(rounds).boxed().toList()));
        return this;
    }

    MadeUpRun inC(String read, double ns) {
        return figure(Benchmarks.NATIVE, "", read, "read", null, ns);
    }

    /** User and CPU time alike. */
    MadeUpRun loop(String jdk, String clock, double... ns) {
        QUANTITIES.forEach(quantity -> figure(Benchmarks.LOOP, jdk, clock, quantity, null, ns));
        return this;
    }

    /** On 16 threads; the timer takes 20 ns, which are in the ns of a call. */
    MadeUpRun latency(String jdk, String clock, double... ns) {
        double[] timer = new double[ns.length];
        Arrays.fill(timer, 20);
        figure(Benchmarks.LATENCY, jdk, clock, "timer", 16.0, timer);
        distribution(Benchmarks.LATENCY, jdk, clock, "timer", 16.0, 20, 20);
        for (String quantity : QUANTITIES) {
            figure(Benchmarks.LATENCY, jdk, clock, quantity, 16.0, ns);
            distribution(Benchmarks.LATENCY, jdk, clock, quantity, 16.0, ns[0], ns[0]);
        }
        return this;
    }

    MadeUpRun distribution(
            String benchmark,
            String jdk,
            String contender,
            String quantity,
            Double parameter,
            double most,
            double rest) {
        TreeMap<Double, Double> percentiles = new TreeMap<>();
        for (double percentile : new double[] {0, 50, 90, 95, 99, 99.9}) {
            percentiles.put(percentile, rest);
        }
        percentiles.put(99.99, most);
        percentiles.put(100.0, most);
        Subject subject = new Subject(benchmark, jdk, contender, quantity, parameter);
        draft.add(Measurement.of(subject, "ns", 1, rest, percentiles));
        return this;
    }

    /** By JMH; each call takes as long. */
    MadeUpRun sampled(String jdk, String contender, double threads, double ns) {
        return distribution(Benchmarks.JMH_SAMPLE, jdk, contender, "enter + close", threads, ns, ns);
    }

    /** Other threads by id and by array, all sizes and quantities alike. */
    MadeUpRun others(String jdk, double stockNs, double agentpathNs, double attachedNs) {
        others(jdk, Contest.STOCK, stockNs);
        others(jdk, Contest.AGENTPATH, agentpathNs);
        return others(jdk, Contest.ATTACHED, attachedNs);
    }

    MadeUpRun lifecycle(String jdk, String quantity, double stockNs, double agentpathNs, double attachedNs) {
        figure(Benchmarks.LIFECYCLE, jdk, Contest.STOCK, quantity, null, stockNs);
        figure(Benchmarks.LIFECYCLE, jdk, Contest.AGENTPATH, quantity, null, agentpathNs);
        return figure(Benchmarks.LIFECYCLE, jdk, Contest.ATTACHED, quantity, null, attachedNs);
    }

    /** A million virtual threads: each quantity alike. */
    MadeUpRun many(String jdk, double stock, double accounted) {
        for (String quantity : List.of(
                ThreadLives.START_AND_END, ThreadLives.HEAP_PARKED, ThreadLives.HEAP_ENDED, ThreadLives.SNAPSHOT)) {
            figure(Benchmarks.VIRTUAL_MANY, jdk, Contest.STOCK, quantity, 1e6, stock);
            figure(Benchmarks.VIRTUAL_MANY, jdk, Contest.ACCOUNTED, quantity, 1e6, accounted);
        }
        return this;
    }

    MadeUpRun spans(String jdk, double stockNs, double measuredNs) {
        figure(Benchmarks.SPANS, jdk, Contest.STOCK, SpanPrice.SPAN, null, stockNs);
        return figure(Benchmarks.SPANS, jdk, Contest.THREADCLOCK, SpanPrice.SPAN, null, measuredNs);
    }

    MadeUpRun attach(String jdk, double ms) {
        figure(Benchmarks.ATTACH, jdk, Contest.ATTACHED, "attaching", 0.0, ms);
        figure(Benchmarks.ATTACH, jdk, Contest.ATTACHED, "attaching", 5000.0, ms);
        return figure(Benchmarks.ATTACH, jdk, "attach command", "attaching", 5000.0, ms);
    }

    /** With 1 and 1,001 reading threads. */
    MadeUpRun memory(String jdk, double recordBytesOfOne, double recordBytesOfMany) {
        for (double threads : new double[] {1, 1001}) {
            String clock = Contest.THREADCLOCK;
            double recordBytes = threads == 1 ? recordBytesOfOne : recordBytesOfMany;
            figure(Benchmarks.MEMORY, jdk, clock, MemoryParts.IMAGE, threads, 8192);
            figure(Benchmarks.MEMORY, jdk, clock, MemoryParts.RECORDS, threads, recordBytes);
            figure(Benchmarks.MEMORY, jdk, clock, MemoryParts.DESCRIPTOR, threads, 4096);
            figure(Benchmarks.MEMORY, jdk, clock, MemoryParts.FILE, threads, 122_880);
        }
        return this;
    }

    /** All bursts of one way at one phase of the tick. */
    MadeUpRun tickTrap(String jdk, TickTrap.Way way, double offsetMs, double bursts, double userMs, double cpuMs) {
        double offsetNs = offsetMs * NS_PER_MS;
        figure(Benchmarks.TICK_TRAP, jdk, way.toString(), TickTrap.BURSTS, offsetNs, bursts);
        figure(Benchmarks.TICK_TRAP, jdk, way.toString(), TickTrap.USER_TIME, offsetNs, userMs * NS_PER_MS);
        return figure(Benchmarks.TICK_TRAP, jdk, way.toString(), TickTrap.CPU_TIME, offsetNs, cpuMs * NS_PER_MS);
    }

    /** Adds the charges of 10,000 units of work. Each call took {@code callNs}, including the timer's 20 ns. */
    MadeUpRun charged(String jdk, String clock, double callNs, double withoutUserTime, double broken) {
        distribution(Benchmarks.ENGINE_CALL, jdk, clock, EngineCost.USER_TIME, 1.0, callNs, callNs);
        distribution(Benchmarks.ENGINE_CALL, jdk, clock, EngineCost.CPU_TIME, 1.0, callNs, callNs);
        figure(Benchmarks.ENGINE_CHARGES, jdk, clock, EngineCost.UNITS, 1.0, 10_000);
        figure(Benchmarks.ENGINE_CHARGES, jdk, clock, EngineCost.USER_TIME, 1.0, 1e9);
        figure(Benchmarks.ENGINE_CHARGES, jdk, clock, EngineCost.CPU_TIME, 1.0, 1.25e9);
        figure(Benchmarks.ENGINE_CHARGES, jdk, clock, EngineCost.WITHOUT_USER_TIME, 1.0, withoutUserTime);
        figure(Benchmarks.ENGINE_CHARGES, jdk, clock, EngineCost.USER_ABOVE_CPU, 1.0, broken);
        return figure(Benchmarks.ENGINE_CHARGES, jdk, clock, EngineCost.BROKEN, 1.0, broken);
    }

    MadeUpRun note(String text) {
        draft.note(text);
        return this;
    }

    Results results() {
        String startedAt = "2026-11-21T10:00:00Z";
        return draft.finish(new Origin(
                "1.0", "./threadclock bench", startedAt, 90, "CPU", true, 2, "6.18", 250L, "0.10", runtimes));
    }

    /** One of everything. */
    static MadeUpRun ofEverything(String jdk) {
        return new MadeUpRun(jdk)
                .inC("rseq: user + CPU time", 11)
                .inC("clock: waits", 5000)
                .inC("clock: user + CPU time", 500)
                .loop(jdk, Contest.STOCK, 9000)
                .loop(jdk, Contest.THREADCLOCK, 12)
                .figure(Benchmarks.LOOP, jdk, "empty", "call", null, 1.5)
                .figure(Benchmarks.LOOP, jdk, "nanoTime", "call", null, 24)
                .latency(jdk, Contest.STOCK, 1000)
                .latency(jdk, Contest.THREADCLOCK, 50)
                .others(jdk, 8000, 400, 400)
                .lifecycle(jdk, "thread start + end", 100, 100, 100)
                .attach(jdk, 40)
                .memory(jdk, 4096, 4096 + 256_000)
                .figure(Benchmarks.SNAPSHOT, jdk, "library", "snapshot", 1000.0, 0.412)
                .figure(Benchmarks.JMH_AVERAGE, jdk, "stock user time", "user time", null, 9100)
                .figure(Benchmarks.JMH_AVERAGE, jdk, "library JNI user time", "user time", null, 13)
                .figure(Benchmarks.JMH_THREADS, jdk, "stock user time", "user time", 64.0, 290_000)
                .figure(Benchmarks.JMH_NESTING, jdk, "library JNI stopwatch", "start + stop", 16.0, 31)
                .figure(Benchmarks.JMH_ALLOCATION, jdk, "library JNI", "user time", null, 0.0001)
                .figure(Benchmarks.JMH_ALLOCATION, jdk, "library JNI", "start + stop", null, 0.0002, 0.0007)
                .distribution(Benchmarks.JMH_SAMPLE, jdk, "stock user time", "user time", 1.0, 40_000, 9000)
                .distribution(Benchmarks.JMH_SAMPLE, jdk, "stock user time", "user time", 16.0, 28_000_000, 9000)
                .figure(Benchmarks.ENGINE_THROUGHPUT, jdk, "off", "units of work", 1.0, 10_000, 10_100)
                .figure(Benchmarks.ENGINE_THROUGHPUT, jdk, Contest.STOCK, "units of work", 1.0, 8000, 8080)
                .figure(Benchmarks.ENGINE_COST, jdk, Contest.STOCK, "units of work", 1.0, 20, 20)
                .figure(Benchmarks.ENGINE_COST, jdk, Contest.STOCK, "CPU time", 1.0, 23, 23)
                .figure(Benchmarks.ENGINE_COST, jdk, Contest.THREADCLOCK, "units of work", 1.0, 0.1, 0.1)
                .distribution(Benchmarks.ENGINE_LATENCY, jdk, "off", "units of work", 1.0, 900_000, 100_000);
    }

    private MadeUpRun others(String jdk, String loading, double ns) {
        for (String quantity : QUANTITIES) {
            NEIGHBOURS.forEach(
                    neighbour -> figure(Benchmarks.BY_ID, jdk, loading, quantity + ", " + neighbour, null, ns));
            ARRAY_SIZES.forEach(threads -> figure(Benchmarks.ARRAY, jdk, loading, quantity, threads, ns));
        }
        return this;
    }

    private static String unit(String benchmark) {
        return switch (benchmark) {
            case Benchmarks.ATTACH, Benchmarks.SNAPSHOT -> "ms";
            case Benchmarks.MEMORY, Benchmarks.JMH_ALLOCATION -> "B";
            case Benchmarks.ENGINE_THROUGHPUT -> "1/s";
            case Benchmarks.ENGINE_COST -> "%";
            default -> "ns";
        };
    }
}
