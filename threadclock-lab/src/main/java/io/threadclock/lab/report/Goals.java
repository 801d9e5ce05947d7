// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.harness.Jdk;
import io.threadclock.harness.Spread;
import io.threadclock.lab.program.LivesOfThreads.Work;
import io.threadclock.lab.question.SpanPrice;
import io.threadclock.lab.question.ThreadLives;
import io.threadclock.lab.report.ThreadTables.Memory;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Compares a run with this project's goals, for {@code bench --check}. The goals come from a machine where stock user time
 * took 8,700 ns, CPU time 420 ns, and the counter 9.3 ns. On another machine, no clock may be able to reach some of them.
 * The limit is stock at its fastest divided by the least that a clock has to do: to read the counter; with source=clock, a
 * system call; for another thread, the system call that reads its clock. With more threads than CPUs, each of these takes
 * threads / CPUs times as long.
 */
public final class Goals {
    /** From the next version on the JDK itself no longer parses /proc, which the ratios are about. */
    private static final int NEWEST_THAT_PARSES_PROC = 25;

    private static final int OLDEST_WITH_FFM = 22;
    private static final double MANY_THREADS = 1000;
    private static final double SHARING_THREADS = 16;
    private static final double PROCESS_BYTES = 64 * 1024;

    /** An object is 8 bytes at the least; what JMH itself allocates is shared out among the reads. */
    private static final double NOTHING_BYTES = 0.05;

    /** If each kept the smallest object, it would be 8 bytes; what a full collection leaves differs a little. */
    private static final double NOTHING_KEPT_BYTES = 7;

    private static final double NO_BOUND = Double.NaN;
    private static final String CLOCK = "source=clock";
    private static final String PART = " part";
    private static final String USER_TIME = "user time";
    private static final String CPU_TIME = "CPU time";

    private final Results results;
    private final NativeReads inC;
    private final List<Goal> goals = new ArrayList<>();

    /** Whether a figure reaches what was wanted. */
    enum Verdict {
        REACHED,
        MISSED,
        OUT_OF_REACH,
        NOT_MEASURED
    }

    /**
     * A figure to reach, and what was reached.
     *
     * @param bound the most that this machine lets any clock reach, in words; empty: no such bound
     */
    record Goal(String quantity, String wanted, String reached, String bound, Verdict verdict) {
        @Override
        public String toString() {
            return quantity + ": " + (verdict == Verdict.NOT_MEASURED ? "not measured" : reached) + ", wanted " + wanted
                    + (verdict == Verdict.OUT_OF_REACH ? ", and any clock's bound here is " + bound : "");
        }
    }

    public Goals(Results results) {
        this.results = results;
        this.inC = new NativeReads(results);
        addOwnThread();
        addManyThreads();
        results.each(Benchmarks.BY_ID, Subject::jdk).forEach(this::addOtherThreads);
        if (!inC.all().isEmpty()) {
            addReadsInC();
            addWaitsInC();
        }
        addMemory();
        results.each(Benchmarks.JMH_AVERAGE, Subject::jdk).forEach(this::addLibrary);
        results.each(Benchmarks.JMH_SAMPLE, Subject::jdk).forEach(this::addSharedAccount);
        addSnapshots();
        results.each(Benchmarks.JMH_ALLOCATION, Subject::jdk).forEach(this::addAllocation);
        AttributionCost.all(results).forEach(this::addAttribution);
        results.each(Benchmarks.VIRTUAL, Subject::jdk).forEach(this::addAccounts);
        new ThreadTables(results).manyVirtual().forEach(this::addManyAccounts);
        AttributionCost.allVirtual(results).forEach(this::addVirtualAttribution);
        results.each(Benchmarks.SPANS, Subject::jdk).forEach(this::addSpans);
    }

    static boolean parsesProc(String jdk) {
        return Jdk.featureOf(jdk) <= NEWEST_THAT_PARSES_PROC;
    }

    List<Goal> all() {
        return goals;
    }

    /** Whether a goal is missed that this machine does not put out of reach. */
    public boolean areMissed() {
        return count(Verdict.MISSED) > 0;
    }

    /** How many were reached, and a line for each of the others. */
    public String toText() {
        return Figure.count(count(Verdict.REACHED)) + " of " + Figure.count(goals.size()) + " goals are reached.\n"
                + lines("Missed", Verdict.MISSED)
                + lines("Out of any clock's reach on this machine", Verdict.OUT_OF_REACH)
                + lines("Not measured", Verdict.NOT_MEASURED);
    }

    private long count(Verdict verdict) {
        return goals.stream().filter(goal -> goal.verdict() == verdict).count();
    }

    private String lines(String title, Verdict verdict) {
        String lines = goals.stream()
                .filter(goal -> goal.verdict() == verdict)
                .map(goal -> "  " + goal + "\n")
                .collect(Collectors.joining());
        return lines.isEmpty() ? "" : title + ":\n" + lines;
    }

    private void addOwnThread() {
        for (String jdk : jdksThatParseProc(Benchmarks.LOOP)) {
            addOwnThread(jdk, Contest.THREADCLOCK, USER_TIME, 700);
            addOwnThread(jdk, Contest.THREADCLOCK, CPU_TIME, 35);
            addOwnThread(jdk, CLOCK, USER_TIME, 25);
        }
    }

    private void addOwnThread(String jdk, String clock, String quantity, double wanted) {
        Contest contest = new Contest(results, Benchmarks.LOOP, jdk, quantity);
        double floorNs =
                clock.equals(CLOCK) ? inC.systemCallNs() : inC.counterNs().least();
        String name = "JDK " + jdk + ": " + quantity + (clock.equals(CLOCK) ? ", " + CLOCK : "") + ", stock ÷ this";
        atLeast(name, wanted, gain(contest, clock), boundOf(contest, floorNs));
    }

    private void addManyThreads() {
        List<String> jdks = jdksThatParseProc(Benchmarks.LATENCY);
        for (Latency latency : Latency.all(results)) {
            if (jdks.contains(latency.jdk())) {
                addManyThreads(latency);
            }
        }
    }

    private void addManyThreads(Latency latency) {
        String name = "JDK " + latency.jdk() + ": user time on " + Figure.count((long) latency.threads())
                + " threads, stock ÷ this";
        // Threads that share CPUs wait for one another, on average, in proportion to what they do.
        double threadsPerCpu = Math.max(1, latency.threads() / results.origin().cpus());
        double stockNs = latency.meanLessTimer(Contest.STOCK, USER_TIME).least();
        double bound = stockNs / (inC.counterNs().least() * threadsPerCpu);
        atLeast(name + ", mean less timer", 300, Optional.of(latency.gainAtMean(USER_TIME)), bound);
        List<Double> notBetter = latency.percentilesNotBetter(USER_TIME);
        String percentiles = notBetter.stream().map(Measurement::percentile).collect(Collectors.joining(", "));
        goals.add(new Goal(
                name + ", p50 to p99.99",
                "> 1 at each",
                notBetter.isEmpty() ? "better at each" : "not better at " + percentiles,
                "",
                notBetter.isEmpty() ? Verdict.REACHED : Verdict.MISSED));
    }

    /** A figure has to be reached by either way of loading the agent. */
    private void addOtherThreads(String jdk) {
        for (String loading : List.of(Contest.AGENTPATH, Contest.ATTACHED)) {
            for (String neighbour : ThreadTables.neighbours(results)) {
                double floorNs = neighbour.equals("asleep") ? inC.threadAsleepNs() : inC.threadBusyNs();
                addGains(
                        jdk,
                        loading,
                        "of another thread by id, " + neighbour,
                        floorNs,
                        quantity -> new Contest(results, Benchmarks.BY_ID, jdk, quantity + ", " + neighbour));
            }
            addGains(
                    jdk,
                    loading,
                    "of 1,000 threads in one call",
                    inC.threadAsleepNs(),
                    quantity -> array(jdk, quantity));
            atMost(
                    "JDK " + jdk + ": user time of 1,000 threads in one call, " + loading + ", ns a thread",
                    500,
                    spread(array(jdk, USER_TIME), loading),
                    NO_BOUND,
                    Figure::ns);
            addLifecycle(jdk, loading, "thread start + end");
        }
        if (new Contest(results, Benchmarks.LIFECYCLE, jdk, "virtual thread's yield").has(Contest.STOCK)) {
            // -agentpath slows them, as its documentation says.
            addLifecycle(jdk, Contest.ATTACHED, "virtual thread's yield");
        }
        double threads = ThreadTables.mostThreads(results);
        atMost(
                "JDK " + jdk + ": attach to a JVM with " + Figure.count((long) threads) + " threads, ms",
                500,
                spread(ThreadTables.attaching(results, jdk, threads), Contest.ATTACHED),
                NO_BOUND,
                Figure::ns);
    }

    /** User time where stock parses /proc, CPU time everywhere. No clock asks the kernel less than once a thread. */
    private void addGains(
            String jdk, String loading, String threads, double floorNs, Function<String, Contest> contestOf) {
        String rest = " " + threads + ", " + loading + ", stock ÷ this";
        Contest user = contestOf.apply(USER_TIME);
        Contest cpu = contestOf.apply(CPU_TIME);
        if (parsesProc(jdk)) {
            atLeast("JDK " + jdk + ": " + USER_TIME + rest, 20, gain(user, loading), boundOf(user, floorNs));
        }
        atLeast("JDK " + jdk + ": " + CPU_TIME + rest, 1, gain(cpu, loading), boundOf(cpu, floorNs));
    }

    private Contest array(String jdk, String quantity) {
        return new Contest(results, Benchmarks.ARRAY, jdk, quantity, MANY_THREADS);
    }

    private void addLifecycle(String jdk, String loading, String quantity) {
        Contest contest = new Contest(results, Benchmarks.LIFECYCLE, jdk, quantity);
        Optional<Spread> times = besideStock(contest, loading, contest::timesStock);
        atMost("JDK " + jdk + ": " + quantity + ", " + loading + " ÷ stock", 1.05, times, NO_BOUND, Figure::ratio);
    }

    private void addReadsInC() {
        for (String read : List.of(NativeReads.RSEQ, NativeReads.PERF)) {
            atMost(
                    "source " + read + " in C ÷ bare counter",
                    1.2,
                    inC.find(read).map(found -> found.ratioTo(inC.counter())),
                    1,
                    Figure::ratio);
        }
    }

    /** Without a descriptor that is kept, a file is opened after each switch, which takes longer than this by itself. */
    private void addWaitsInC() {
        Optional<Spread> more = inC.find(NativeReads.TIMES_AND_WAITS)
                .flatMap(both -> inC.find(NativeReads.RSEQ).map(both::less))
                .map(waits -> waits.ratioTo(inC.counter()));
        atMost(
                "waits with a reading in C, more than the reading alone ÷ bare counter",
                1.2,
                more,
                NO_BOUND,
                Figure::ratio);
        Optional<Spread> switched = inC.find(NativeReads.WAITS_AFTER_SWITCH).map(Measurement::spread);
        atMost("waits in C after a switch, with a descriptor kept, ns", 3000, switched, NO_BOUND, Figure::ns);
    }

    private void addMemory() {
        if (!results.of(Benchmarks.MEMORY).isEmpty()) {
            Memory memory = Memory.of(results);
            double bytes = memory.ownBytes(memory.few());
            atMost("memory of the process, bytes", PROCESS_BYTES, Spread.of(bytes), Figure::ns);
            atMost("memory of a thread, bytes", 256, Spread.of(memory.bytesPerThread()), Figure::ns);
        }
    }

    /** Counter and library are in different programs, so their ratio is that of their medians. */
    private void addLibrary(String jdk) {
        boolean ffm = hasFfm(jdk);
        String library = library(jdk);
        addTimesCounterInC(jdk, library + " user time", ffm ? 1.6 : 2.2);
        addTimesCounterInC(jdk, library + " stopwatch", 3.5);
        Optional<Measurement> bean = average(jdk, "threadclock user time");
        Optional<Measurement> counter = average(jdk, "rdtsc");
        // A count has to become a user time: two multiplications, one after the other.
        double least = average(jdk, "rdtsc as user time")
                .flatMap(series -> counter.map(series::ratioTo))
                .map(Spread::median)
                .orElse(NO_BOUND);
        String name = "JDK " + jdk + ": ThreadMXBean's user time ÷ bare counter by JNI";
        atMost(name, 1.1, bean.flatMap(series -> counter.map(series::ratioTo)), least, Figure::ratio);
        // A stopwatch reads twice, too.
        Optional<Spread> beyond = average(jdk, library + PART)
                .flatMap(part -> average(jdk, library + " stopwatch").map(part::less))
                .map(Measurement::spread);
        String part = "JDK " + jdk + ": " + library + PART + ", more than two readings, ns";
        atMost(part, 40, beyond, NO_BOUND, Figure::ns);
    }

    /** By the medians, because threads that share CPUs wait for one another in the others; less JMH's own looks at a timer. */
    private void addSharedAccount(String jdk) {
        Optional<Spread> times =
                partNs(jdk, SHARING_THREADS).flatMap(shared -> partNs(jdk, 1).map(alone -> Spread.of(shared / alone)));
        String name = "JDK " + jdk + ": " + library(jdk) + PART + " of one account on 16 threads ÷ on one";
        atMost(name, 1.5, times, NO_BOUND, Figure::ratio);
    }

    private Optional<Double> partNs(String jdk, double threads) {
        return median(jdk, library(jdk) + PART, threads)
                .flatMap(part -> median(jdk, "empty", threads).map(timer -> part - timer));
    }

    private Optional<Double> median(String jdk, String contender, double threads) {
        return results.of(Benchmarks.JMH_SAMPLE, jdk).stream()
                .filter(series -> series.subject().contender().equals(contender)
                        && series.subject().parameter() == threads)
                .map(series -> series.at(50))
                .findFirst();
    }

    private static boolean hasFfm(String jdk) {
        return Jdk.featureOf(jdk) >= OLDEST_WITH_FFM;
    }

    private static String library(String jdk) {
        return hasFfm(jdk) ? "library FFM" : "library JNI";
    }

    private void addTimesCounterInC(String jdk, String contender, double wanted) {
        String name = "JDK " + jdk + ": " + contender + " ÷ bare counter in C";
        Optional<Spread> times = average(jdk, contender)
                .map(series ->
                        Spread.of(series.spread().median() / inC.counterNs().median()));
        atMost(name, wanted, times, NO_BOUND, Figure::ratio);
    }

    private Optional<Measurement> average(String jdk, String contender) {
        return results.find(Benchmarks.JMH_AVERAGE, jdk, contender);
    }

    private void addSnapshots() {
        results.of(Benchmarks.SNAPSHOT).stream()
                .filter(series -> series.subject().parameter() == MANY_THREADS)
                .forEach(series -> atMost(
                        "JDK " + series.subject().jdk() + ": snapshot of 1,000 mostly idle threads, ms",
                        0.6,
                        series.spread(),
                        Figure::plain));
    }

    /** Takes the least of each path's rounds, because other allocations of the JVM add to some of them. */
    private void addAllocation(String jdk) {
        double most = results.of(Benchmarks.JMH_ALLOCATION, jdk).stream()
                .mapToDouble(series -> series.spread().least())
                .max()
                .orElseThrow();
        String name = "JDK " + jdk + ": allocated by one read, on every path, bytes";
        atMost(name, NOTHING_BYTES, Spread.of(most), Figure::plain);
    }

    /** Next to nothing, where stock user time costs the engine a lot. */
    private void addAttribution(AttributionCost attribution) {
        if (!parsesProc(attribution.jdk())) {
            return;
        }
        String name = "JDK " + attribution.jdk() + ": attribution of a database's work, share of throughput";
        Optional<Spread> stock = attribution.ofThroughput(Contest.STOCK);
        atLeast(name + ", stock", 0.05, stock, NO_BOUND, Figure::percent);
        atMost(name, 0.005, attribution.ofThroughput(Contest.THREADCLOCK), NO_BOUND, Figure::percent);
    }

    private void addAccounts(String jdk) {
        for (Work work : ThreadLives.SWITCHES) {
            String name = "JDK " + jdk + ": virtual thread's " + work + ", accounted ";
            Contest contest = new Contest(results, Benchmarks.VIRTUAL, jdk, work.toString());
            atMost(name + "− stock, ns", 30, beside(contest, contest::beyondStock), NO_BOUND, Figure::ns);
            atMost(name + "÷ stock", 1.15, beside(contest, contest::timesStock), NO_BOUND, Figure::ratio);
        }
        Contest reading = new Contest(results, Benchmarks.VIRTUAL, jdk, Work.READ.toString());
        String name = "JDK " + jdk + ": " + Work.READ + ", accounted virtual thread ÷ platform thread";
        atMost(name, 2, beside(reading, reading::timesStock), NO_BOUND, Figure::ratio);
    }

    private void addManyAccounts(Contest contest) {
        String name =
                "JDK " + contest.jdk() + ": " + Figure.count(contest.parameter().longValue()) + " virtual threads, "
                        + contest.quantity() + ", accounted ";
        switch (contest.quantity()) {
            case ThreadLives.START_AND_END ->
                atLeast(name + "÷ stock, throughput", 0.95, beside(contest, contest::gain), NO_BOUND);
            case ThreadLives.HEAP_PARKED ->
                atMost(name + "− stock", 64, beside(contest, contest::beyondStock), NO_BOUND, Figure::ns);
            case ThreadLives.HEAP_ENDED ->
                atMost(
                        name + "− stock",
                        NOTHING_KEPT_BYTES,
                        beside(contest, contest::beyondStock),
                        NO_BOUND,
                        Figure::ns);
            default -> {
                // No goal.
            }
        }
    }

    private void addVirtualAttribution(AttributionCost attribution) {
        String name = "JDK " + attribution.jdk()
                + ": attribution of a database's work on virtual threads, share of throughput";
        atMost(name, 0.005, attribution.ofThroughput(Contest.THREADCLOCK), NO_BOUND, Figure::percent);
    }

    private void addSpans(String jdk) {
        Contest span = new Contest(results, Benchmarks.SPANS, jdk, SpanPrice.SPAN);
        Optional<Spread> beyond = besideStock(span, Contest.THREADCLOCK, span::beyondStock);
        atMost("JDK " + jdk + ": " + SpanPrice.SPAN + ", measured − not, ns", 300, beyond, NO_BOUND, Figure::ns);
    }

    private static Optional<Spread> beside(Contest contest, Function<String, Spread> comparison) {
        return besideStock(contest, Contest.ACCOUNTED, comparison);
    }

    /** A contender beside stock, if both were measured. */
    private static Optional<Spread> besideStock(
            Contest contest, String contender, Function<String, Spread> comparison) {
        boolean isMeasured = contest.has(Contest.STOCK) && contest.has(contender);
        return isMeasured ? Optional.of(comparison.apply(contender)) : Optional.empty();
    }

    private List<String> jdksThatParseProc(String benchmark) {
        return results.each(benchmark, Subject::jdk).stream()
                .filter(Goals::parsesProc)
                .toList();
    }

    private static Optional<Spread> gain(Contest contest, String contender) {
        return besideStock(contest, contender, contest::gain);
    }

    private static Optional<Spread> spread(Contest contest, String contender) {
        return contest.find(contender).map(Measurement::spread);
    }

    private static double boundOf(Contest contest, double floorNs) {
        return spread(contest, Contest.STOCK)
                .map(stock -> stock.least() / floorNs)
                .orElse(NO_BOUND);
    }

    private void atLeast(String quantity, double wanted, Optional<Spread> reached, double bound) {
        atLeast(quantity, wanted, reached, bound, Figure::ratio);
    }

    private void atLeast(
            String quantity, double wanted, Optional<Spread> reached, double bound, DoubleFunction<String> figure) {
        boolean isReached = reached.filter(spread -> spread.median() >= wanted).isPresent();
        add(quantity, "≥ " + figure.apply(wanted), reached, isReached, bound, bound < wanted, figure);
    }

    private void atMost(String quantity, double wanted, Spread reached, DoubleFunction<String> figure) {
        atMost(quantity, wanted, Optional.of(reached), NO_BOUND, figure);
    }

    private void atMost(
            String quantity, double wanted, Optional<Spread> reached, double bound, DoubleFunction<String> figure) {
        boolean isReached = reached.filter(spread -> spread.median() <= wanted).isPresent();
        add(quantity, "≤ " + figure.apply(wanted), reached, isReached, bound, bound > wanted, figure);
    }

    private void add(
            String quantity,
            String wanted,
            Optional<Spread> reached,
            boolean isReached,
            double bound,
            boolean isOutOfReach,
            DoubleFunction<String> figure) {
        Verdict missed = isOutOfReach ? Verdict.OUT_OF_REACH : Verdict.MISSED;
        Verdict measured = isReached ? Verdict.REACHED : missed;
        goals.add(new Goal(
                quantity,
                wanted,
                reached.map(spread -> Figure.spread(spread, figure)).orElse(""),
                Double.isNaN(bound) ? "" : figure.apply(bound),
                reached.isPresent() ? measured : Verdict.NOT_MEASURED));
    }
}
