// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.FlameGraph;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** Runs that nobody has measured: figures of a plausible size for each benchmark, the same each time. */
final class ResultsFixture {
    private static final List<Double> PERCENTILES =
            List.of(0.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.9, 99.99, 99.999, 100.0);
    private static final String USER = "user time";
    private static final String CPU = "CPU time";
    private static final int ROUNDS = 9;

    private final Random random;
    private final double speed;
    private final List<Series> series = new ArrayList<>();
    private final List<Distribution> distributions = new ArrayList<>();

    /** @param speed factor of all that threadclock takes */
    private ResultsFixture(long seed, double speed) {
        this.random = new Random(seed);
        this.speed = speed;
    }

    /** Every benchmark on three JDKs. */
    static Results whole() {
        return of(1, 1, "17.0.15", "25.0.3", "26.0.2.1");
    }

    /** The same, when threadclock was slower. */
    static Results older() {
        return of(2, 1.6, "17.0.15", "25.0.3");
    }

    static Results of(long seed, double speed, String... jdks) {
        ResultsFixture fixture = new ResultsFixture(seed, speed);
        fixture.addNative();
        for (String jdk : jdks) {
            fixture.addJdk(jdk);
        }
        List<FlameGraph> flames = List.of(
                new FlameGraph("flame-stock.html", "Before: stock user time, flame", 0.93),
                new FlameGraph("icicle-stock.html", "Before: stock user time, icicle", 0.93),
                new FlameGraph("flame-threadclock.html", "After: threadclock, flame", 0.004),
                new FlameGraph("icicle-threadclock.html", "After: threadclock, icicle", 0.004));
        List<String> notes = List.of(
                "A fixture: nobody has measured these figures.",
                "JDK 17.0.15: no FFM; the library reads by JNI alone.");
        return new Results(
                Results.FORMAT, origin(jdks), fixture.series, fixture.distributions, flames, notes);
    }

    /** A run in which everything has this name. */
    static Results named(String name) {
        List<Series> series = new ArrayList<>();
        for (double parameter = 1; parameter <= 4; parameter++) {
            series.add(new Series(new Subject(name, name, name, name, parameter), name, List.of(parameter, parameter)));
        }
        Origin.Runtime runtime = new Origin.Runtime(name, name, name, name);
        Origin origin =
                new Origin(name, name, name, 1, name, false, 1, name, 100L, name, List.of(runtime));
        List<FlameGraph> flames = List.of(new FlameGraph(name, name, 0));
        return new Results(Results.FORMAT, origin, series, List.of(), flames, List.of(name));
    }

    /** A run in which nothing was measured. */
    static Results empty() {
        return new Results(Results.FORMAT, origin(), List.of(), List.of(), List.of(), List.of());
    }

    static Results with(Series... series) {
        return new Results(Results.FORMAT, origin("17.0.15"), List.of(series), List.of(), List.of(), List.of());
    }

    static Results with(Distribution... distributions) {
        return new Results(Results.FORMAT, origin("17.0.15"), List.of(), List.of(distributions), List.of(), List.of());
    }

    static Series series(String benchmark, String contender, double... rounds) {
        List<Double> boxed = new ArrayList<>();
        for (double round : rounds) {
            boxed.add(round);
        }
        return new Series(new Subject(benchmark, "17.0.15", contender, USER, null), "ns", boxed);
    }

    static Series at(double parameter, Series series) {
        Subject subject = series.subject();
        Subject there = new Subject(
                subject.benchmark(), subject.jdk(), subject.contender(), subject.quantity(), parameter);
        return new Series(there, series.unit(), series.rounds());
    }

    static Origin origin(String... jdks) {
        List<Origin.Runtime> runtimes = new ArrayList<>();
        for (String jdk : jdks) {
            String binding = jdk.compareTo("22") < 0 ? "JNI" : "FFM";
            runtimes.add(new Origin.Runtime(jdk, "Eclipse Adoptium", "rseq", binding));
        }
        return new Origin(
                "0.1.0-SNAPSHOT",
                "./threadclock bench --full --jdks=17,25,26",
                "2026-11-21T12:00:00+00:00",
                1_234,
                "AMD EPYC",
                true,
                2,
                "Linux 6.18.44-fc-v669",
                250L,
                "0.12",
                runtimes);
    }

    private void addJdk(String jdk) {
        boolean parsesProc = jdk.compareTo("26") < 0;
        boolean hasFfm = jdk.compareTo("22") > 0;
        double stockUser = parsesProc ? 10_200 : 328;
        addLoop(jdk, stockUser);
        Map<String, Double> reads = reads(stockUser, hasFfm);
        reads.forEach((contender, ns) -> {
            add("jmh.average", jdk, contender, quantity(contender), null, "ns", ns);
            addDistribution("jmh.sample", jdk, contender, quantity(contender), 1.0, ns + 40, 1);
            addDistribution("jmh.sample", jdk, contender, quantity(contender), 16.0, ns + 40, 40);
        });
        for (String path : List.of("cpuTimeNs", "userTimeNs", "systemTimeNs", "readIntoHolder", "stopwatchStartStop")) {
            Subject subject = new Subject("jmh.allocation", jdk, hasFfm ? "library FFM" : "library JNI", path, null);
            series.add(new Series(subject, "B", List.of(0.00031, 0.012, 0.0002)));
        }
        addGrowth(jdk, stockUser, hasFfm);
        addOthers(jdk, stockUser);
        addEngine(jdk, stockUser);
    }

    private void addNative() {
        Map<String, Double> reads = new TreeMap<>(Map.of(
                "bare counter (rdtsc)", 9.6,
                "CLOCK_THREAD_CPUTIME_ID", 533.0,
                "rseq: user + CPU time", 10.0 * speed,
                "perf: user + CPU time", 10.1 * speed,
                "clock: user + CPU time", 587.0,
                "ticks: user time", 285.0,
                "proc: user time", 7_740.0,
                "asleep: user + CPU time", 357.0));
        reads.forEach((contender, ns) -> add("native", "", contender, "one read", null, "ns", ns));
    }

    private void addLoop(String jdk, double stockUser) {
        Map<String, Double> user = Map.of("source=clock", 610.0, "source=ticks", 310.0, "source=proc", 7_900.0);
        add("loop", jdk, "stock", USER, null, "ns", stockUser);
        add("loop", jdk, "threadclock", USER, null, "ns", 13.6 * speed);
        add("loop", jdk, "source=perf", USER, null, "ns", 13.9 * speed);
        new TreeMap<>(user).forEach((contender, ns) -> add("loop", jdk, contender, USER, null, "ns", ns));
        add("loop", jdk, "stock", CPU, null, "ns", 565);
        add("loop", jdk, "threadclock", CPU, null, "ns", 12.7 * speed);
        add("loop", jdk, "source=perf", CPU, null, "ns", 12.9 * speed);
        add("loop", jdk, "source=clock", CPU, null, "ns", 601);
        add("loop", jdk, "empty", "call", null, "ns", 1.6);
        add("loop", jdk, "nanoTime", "call", null, "ns", 24.2);
    }

    private Map<String, Double> reads(double stockUser, boolean hasFfm) {
        Map<String, Double> reads = new LinkedHashMap<>();
        reads.put("empty", 0.4);
        reads.put("empty JNI call", 2.9);
        reads.put("rdtsc", 11.8);
        reads.put("System.nanoTime", 23.9);
        reads.put("PID-0 clock id", 514.0);
        reads.put("own-tid clock id", 538.0);
        reads.put("stock user time", stockUser);
        reads.put("stock CPU time", 572.0);
        reads.put("threadclock user time", 14.1 * speed);
        reads.put("threadclock CPU time", 13.4 * speed);
        reads.put("source=perf", 14.4 * speed);
        reads.put("source=rseq", 14.0 * speed);
        reads.put("source=clock", 612.0);
        reads.put("source=ticks", 305.0);
        reads.put("source=proc", 7_850.0);
        reads.put("library JNI user time", 15.2 * speed);
        reads.put("library JNI stopwatch", 33.5 * speed);
        if (hasFfm) {
            reads.put("library FFM user time", 12.2 * speed);
            reads.put("library FFM stopwatch", 27.0 * speed);
        }
        return reads;
    }

    private static String quantity(String contender) {
        if (contender.contains(CPU) || contender.contains("clock id")) {
            return CPU;
        }
        if (contender.contains("stopwatch")) {
            return "start + stop";
        }
        return contender.contains(USER) || contender.startsWith("source=") ? USER : "one read";
    }

    private void addGrowth(String jdk, double stockUser, boolean hasFfm) {
        String library = hasFfm ? "library FFM user time" : "library JNI user time";
        for (int threads = 1; threads <= 64; threads *= 2) {
            double shared = Math.max(1, threads / 2.0);
            add("jmh.threads", jdk, "stock user time", USER, (double) threads, "ns", stockUser * shared * 1.05);
            add("jmh.threads", jdk, "threadclock user time", USER, (double) threads, "ns", 14.1 * speed * shared);
            add("jmh.threads", jdk, library, USER, (double) threads, "ns", 12.5 * speed * shared);
        }
        for (int depth = 1; depth <= 16; depth *= 2) {
            add("jmh.nesting", jdk, "library JNI stopwatch", "start + stop", (double) depth, "ns", 33 + 0.4 * depth);
            if (hasFfm) {
                double ns = 27 + 0.3 * depth;
                add("jmh.nesting", jdk, "library FFM stopwatch", "start + stop", (double) depth, "ns", ns);
            }
        }
        for (int threads : new int[] {10, 100, 1_000, 5_000}) {
            double ms = 0.00045 * threads * speed;
            add("snapshot", jdk, "library", "snapshot", (double) threads, "ms", ms);
            for (String loading : List.of("stock", "-agentpath", "attached")) {
                boolean stock = loading.equals("stock");
                double grown = 1 + threads / 9_000.0;
                add("array", jdk, loading, USER, (double) threads, "ns", (stock ? stockUser : 430 * speed) * grown);
                add("array", jdk, loading, CPU, (double) threads, "ns", (stock ? 470 : 425) * grown);
            }
        }
    }

    private void addOthers(String jdk, double stockUser) {
        for (String loading : List.of("stock", "-agentpath", "attached")) {
            boolean stock = loading.equals("stock");
            add("by-id", jdk, loading, "user time, asleep", null, "ns", stock ? stockUser * 0.93 : 385);
            add("by-id", jdk, loading, "CPU time, asleep", null, "ns", stock ? 364 : 390);
            add("lifecycle", jdk, loading, "thread start + end", null, "ns", 125_000 + (stock ? 0 : 4_000));
        }
        add("attach", jdk, "attached", "attaching", 0.0, "ms", 17.1);
        add("attach", jdk, "attached", "attaching", 5_000.0, "ms", 41.0);
        add("attach", jdk, "attach command", "attaching", 5_000.0, "ms", 215);
        add("memory", jdk, "threadclock", "together", 1.0, "B", 24_576);
        add("memory", jdk, "threadclock", "together", 1_001.0, "B", 315_392);
        addDistribution("latency", jdk, "stock", USER, 16.0, stockUser, 60);
        addDistribution("latency", jdk, "threadclock", USER, 16.0, 40, 30);
        addDistribution("latency", jdk, "stock", CPU, 16.0, 560, 40);
        addDistribution("latency", jdk, "threadclock", CPU, 16.0, 40, 30);
        addDistribution("latency", jdk, "timer alone", "", 16.0, 22, 20);
    }

    private void addEngine(String jdk, double stockUser) {
        String units = "units of work";
        double off = 61_000;
        add("engine.throughput", jdk, "off", units, 2.0, "1/s", off);
        add("engine.throughput", jdk, "stock", units, 2.0, "1/s", off / (1 + stockUser * 2.6e-5));
        add("engine.throughput", jdk, "threadclock", units, 2.0, "1/s", off * (1 - 0.0021 * speed));
        for (String quantity : List.of(units, CPU)) {
            add("engine.cost", jdk, "stock", quantity, 2.0, "%", 100 - 100 / (1 + stockUser * 2.6e-5));
            add("engine.cost", jdk, "threadclock", quantity, 2.0, "%", 0.21 * speed);
            add("engine.cost", jdk, "threadclock by ThreadMXBean", quantity, 2.0, "%", 0.24 * speed);
        }
        addDistribution("engine.latency", jdk, "off", units, 2.0, 15_800, 3);
        addDistribution("engine.latency", jdk, "stock", units, 2.0, 15_800 + 2 * stockUser, 9);
        addDistribution("engine.latency", jdk, "threadclock", units, 2.0, 15_850, 3);
    }

    private void add(
            String benchmark,
            String jdk,
            String contender,
            String quantity,
            Double parameter,
            String unit,
            double about) {
        double noise = benchmark.startsWith("engine") ? 0.001 : 0.06;
        List<Double> rounds = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            rounds.add(about * (1 + noise * random.nextGaussian()));
        }
        series.add(new Series(new Subject(benchmark, jdk, contender, quantity, parameter), unit, rounds));
    }

    /** @param tail how heavy, from 1 on */
    private void addDistribution(
            String benchmark,
            String jdk,
            String contender,
            String quantity,
            Double parameter,
            double median,
            double tail) {
        SortedMap<Double, Double> percentiles = new TreeMap<>();
        double last = 0;
        for (double percentile : PERCENTILES) {
            double nines = -Math.log10(1 - Math.min(percentile, 99.9999) / 100);
            double bulk = 1 + 0.12 * (nines - 0.3);
            double late = Math.exp(Math.max(0, nines - 2.2 + random.nextDouble() / 3) * (0.5 + 0.6 * Math.log(tail)));
            double amount = median * bulk * late;
            last = Math.max(last, Math.min(amount, 40_000_000 * (1 + random.nextDouble())));
            percentiles.put(percentile, last);
        }
        Subject subject = new Subject(benchmark, jdk, contender, quantity, parameter);
        distributions.add(new Distribution(subject, "ns", 1_234_567, median * (1 + tail / 20), percentiles));
    }
}
