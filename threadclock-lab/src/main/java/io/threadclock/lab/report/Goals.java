// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.harness.Jdk;
import io.threadclock.harness.Spread;
import io.threadclock.lab.program.LivesOfThreads.Work;
import io.threadclock.lab.question.ThreadLives;
import io.threadclock.lab.report.ThreadTables.Memory;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares a run with this project's {@link Bound bounds}, for {@code bench --check}. The aims come from a machine where
 * stock user time took 8,700 ns, CPU time 420 ns, and the counter 9.3 ns. On another machine, no clock may be able to
 * reach some of them. The limit is stock at its fastest divided by the least that a clock has to do: to read the counter;
 * with source=clock, a system call; for another thread, the system call that reads its clock. With more threads than
 * CPUs, each of these takes threads / CPUs times as long.
 */
public final class Goals {
    /** From the next version on the JDK itself no longer parses /proc, which the ratios are about. */
    private static final int NEWEST_THAT_PARSES_PROC = 25;

    private static final int OLDEST_WITH_FFM = 22;
    private static final double MANY_THREADS = 1000;
    private static final double SHARING_THREADS = 16;
    private static final double NO_LIMIT = Double.NaN;
    private static final String USER_TIME = "user time";
    private static final String CPU_TIME = "CPU time";

    private final Results results;
    private final NativeReads inC;
    private final List<Goal> goals = new ArrayList<>();

    /** Whether a figure reaches what was wanted. */
    enum Verdict {
        REACHED(""),
        BROKEN("Promises that are broken"),
        MISSED("Aims that are missed"),
        OUT_OF_REACH("Out of any clock's reach on this machine"),
        NOT_MEASURED("Not measured");

        private final String title;

        Verdict(String title) {
            this.title = title;
        }
    }

    /**
     * A figure to reach, and what was reached.
     *
     * @param limit the most that this machine lets any clock reach; NaN: no such limit
     */
    record Goal(String quantity, Bound bound, Optional<Spread> reached, double limit) {
        Verdict verdict() {
            if (reached.isEmpty()) {
                return Verdict.NOT_MEASURED;
            }
            double median = reached.get().median();
            if (bound.admits(median, bound.aim)) {
                return Verdict.REACHED;
            }
            if (bound.isPromised() && !bound.admits(median, bound.promise)) {
                return isWithinReach(bound.promise) ? Verdict.BROKEN : Verdict.OUT_OF_REACH;
            }
            return isWithinReach(bound.aim) ? Verdict.MISSED : Verdict.OUT_OF_REACH;
        }

        private boolean isWithinReach(double wanted) {
            return Double.isNaN(limit) || bound.admits(limit, wanted);
        }

        @Override
        public String toString() {
            Verdict verdict = verdict();
            double wanted = verdict == Verdict.BROKEN ? bound.promise : bound.aim;
            return quantity + ": "
                    + reached.map(each -> Figure.spread(each, bound.figure)).orElse("not measured")
                    + (verdict == Verdict.BROKEN ? ", promised " : ", wanted ") + bound.text(wanted)
                    + (verdict == Verdict.OUT_OF_REACH
                            ? ", and any clock's limit here is " + bound.figure.apply(limit)
                            : "");
        }
    }

    public Goals(Results results) {
        this.results = results;
        this.inC = new NativeReads(results);
        results.each(Benchmarks.LOOP, Subject::jdk).forEach(this::addOwnThread);
        Latency.all(results).stream()
                .filter(latency -> parsesProc(latency.jdk()))
                .forEach(this::addManyThreads);
        results.each(Benchmarks.BY_ID, Subject::jdk).forEach(this::addOtherThreads);
        if (!inC.all().isEmpty()) {
            addInC();
        }
        if (!results.of(Benchmarks.MEMORY).isEmpty()) {
            Memory memory = Memory.of(results);
            add("", Bound.PROCESS_BYTES, Optional.of(Spread.of(memory.ownBytes(memory.few()))));
            add("", Bound.THREAD_BYTES, Optional.of(Spread.of(memory.bytesPerThread())));
        }
        results.each(Benchmarks.JMH_AVERAGE, Subject::jdk).forEach(this::addLibrary);
        results.each(Benchmarks.JMH_SAMPLE, Subject::jdk).forEach(this::addSharedAccount);
        results.of(Benchmarks.SNAPSHOT).stream()
                .filter(series -> series.subject().parameter() == MANY_THREADS)
                .forEach(series -> add(on(series.subject().jdk()), Bound.SNAPSHOT_MS, Optional.of(series.spread())));
        results.each(Benchmarks.JMH_ALLOCATION, Subject::jdk).forEach(this::addAllocation);
        AttributionCost.all(results).stream()
                .filter(each -> parsesProc(each.jdk()))
                .forEach(each -> {
                    add(on(each.jdk()), Bound.ATTRIBUTION_BY_STOCK, each.ofThroughput(Contest.STOCK));
                    add(on(each.jdk()), Bound.ATTRIBUTION, each.ofThroughput(Contest.THREADCLOCK));
                });
        results.each(Benchmarks.VIRTUAL, Subject::jdk).forEach(this::addAccounts);
        new ThreadTables(results).manyVirtual().forEach(this::addManyAccounts);
        AttributionCost.allVirtual(results)
                .forEach(
                        each -> add(on(each.jdk()), Bound.VIRTUAL_ATTRIBUTION, each.ofThroughput(Contest.THREADCLOCK)));
        results.each(
                        Benchmarks.SPANS,
                        subject -> new Contest(results, Benchmarks.SPANS, subject.jdk(), subject.quantity()))
                .forEach(contest -> add(
                        on(contest.jdk()) + contest.quantity() + ", ",
                        Bound.SPAN_NS,
                        besideStock(contest, Contest.THREADCLOCK, contest::beyondStock)));
    }

    static boolean parsesProc(String jdk) {
        return Jdk.featureOf(jdk) <= NEWEST_THAT_PARSES_PROC;
    }

    List<Goal> all() {
        return goals;
    }

    /** Whether what the documents promise does not hold. */
    public boolean areBroken() {
        return of(Verdict.BROKEN).count() > 0;
    }

    /** How many were reached, and a line for each of the others. */
    public String toText() {
        StringBuilder text = new StringBuilder(Figure.count(of(Verdict.REACHED).count()) + " of "
                + Figure.count(goals.size()) + " goals are reached.\n");
        for (Verdict verdict : Verdict.values()) {
            String lines = of(verdict).map(goal -> "  " + goal + "\n").collect(Collectors.joining());
            if (verdict != Verdict.REACHED && !lines.isEmpty()) {
                text.append(verdict.title).append(":\n").append(lines);
            }
        }
        return text.toString();
    }

    private Stream<Goal> of(Verdict verdict) {
        return goals.stream().filter(goal -> goal.verdict() == verdict);
    }

    private void addOwnThread(String jdk) {
        Contest user = new Contest(results, Benchmarks.LOOP, jdk, USER_TIME);
        double counterNs = inC.counterNs().least();
        if (!parsesProc(jdk)) {
            add(on(jdk), Bound.NEWER_USER_TIME, gain(user, Contest.THREADCLOCK), limit(user, counterNs));
            return;
        }
        Contest cpu = new Contest(results, Benchmarks.LOOP, jdk, CPU_TIME);
        add(on(jdk), Bound.USER_TIME, gain(user, Contest.THREADCLOCK), limit(user, counterNs));
        add(on(jdk), Bound.CPU_TIME, gain(cpu, Contest.THREADCLOCK), limit(cpu, counterNs));
        add(on(jdk), Bound.BY_CLOCK, gain(user, "source=clock"), limit(user, inC.systemCallNs()));
    }

    private void addManyThreads(Latency latency) {
        // Threads that share CPUs wait for one another, on average, in proportion to what they do.
        double threadsPerCpu = Math.max(1, latency.threads() / results.origin().cpus());
        double stockNs = latency.meanLessTimer(Contest.STOCK, USER_TIME).least();
        String name = on(latency.jdk()) + "user time on " + Figure.count((long) latency.threads()) + " threads, ";
        add(
                name,
                Bound.MANY_THREADS,
                Optional.of(latency.gainAtMean(USER_TIME)),
                stockNs / (inC.counterNs().least() * threadsPerCpu));
        add(name, Bound.PERCENTILES, Optional.of(Spread.of(latency.leastGain(USER_TIME))));
    }

    /** A figure has to be reached by either way of loading the agent. */
    private void addOtherThreads(String jdk) {
        for (String loading : List.of(Contest.AGENTPATH, Contest.ATTACHED)) {
            for (String neighbour : ThreadTables.neighbours(results)) {
                double leastNs = neighbour.equals("asleep") ? inC.threadAsleepNs() : inC.threadBusyNs();
                addGains(
                        jdk,
                        loading,
                        "of another thread by id, " + neighbour,
                        leastNs,
                        quantity -> new Contest(results, Benchmarks.BY_ID, jdk, quantity + ", " + neighbour));
            }
            addGains(
                    jdk,
                    loading,
                    "of 1,000 threads in one call",
                    inC.threadAsleepNs(),
                    quantity -> array(jdk, quantity));
            String suffix = ", " + loading + ", ns a thread";
            goals.add(new Goal(
                    on(jdk) + Bound.ARRAY_NS.quantity + suffix,
                    Bound.ARRAY_NS,
                    array(jdk, USER_TIME).find(loading).map(Measurement::spread),
                    NO_LIMIT));
            addLifecycle(jdk, loading, Bound.THREAD_START);
        }
        if (new Contest(results, Benchmarks.LIFECYCLE, jdk, Bound.YIELD_ATTACHED.quantity).has(Contest.STOCK)) {
            // -agentpath slows them, as its documentation says.
            addLifecycle(jdk, Contest.ATTACHED, Bound.YIELD_ATTACHED);
        }
        Contest attaching = ThreadTables.attaching(results, jdk, ThreadTables.mostThreads(results));
        add(on(jdk), Bound.ATTACH_MS, attaching.find(Contest.ATTACHED).map(Measurement::spread));
    }

    /** User time where stock parses /proc, CPU time everywhere. No clock asks the kernel less than once a thread. */
    private void addGains(
            String jdk, String loading, String threads, double leastNs, Function<String, Contest> contestOf) {
        String rest = " " + threads + ", " + loading + ", ";
        Contest user = contestOf.apply(USER_TIME);
        Contest cpu = contestOf.apply(CPU_TIME);
        if (parsesProc(jdk)) {
            add(on(jdk) + USER_TIME + rest, Bound.OTHERS_USER_TIME, gain(user, loading), limit(user, leastNs));
        }
        add(on(jdk) + CPU_TIME + rest, Bound.OTHERS_CPU_TIME, gain(cpu, loading), limit(cpu, leastNs));
    }

    private Contest array(String jdk, String quantity) {
        return new Contest(results, Benchmarks.ARRAY, jdk, quantity, MANY_THREADS);
    }

    private void addLifecycle(String jdk, String loading, Bound bound) {
        Contest contest = new Contest(results, Benchmarks.LIFECYCLE, jdk, bound.quantity);
        goals.add(new Goal(
                on(jdk) + bound.quantity + ", " + loading + " ÷ stock",
                bound,
                besideStock(contest, loading, contest::timesStock),
                NO_LIMIT));
    }

    /** Waits: without a descriptor that is kept, a file is opened after each switch, which takes longer by itself. */
    private void addInC() {
        for (String read : List.of(NativeReads.RSEQ, NativeReads.PERF)) {
            add(
                    "source " + read.split(":")[0] + ": ",
                    Bound.SOURCE_IN_C,
                    inC.find(read).map(found -> found.ratioTo(inC.counter())),
                    1);
        }
        add(
                "",
                Bound.WAITS_IN_C,
                inC.find(NativeReads.TIMES_AND_WAITS)
                        .flatMap(both -> inC.find(NativeReads.RSEQ).map(both::less))
                        .map(waits -> waits.ratioTo(inC.counter())));
        add(
                "",
                Bound.WAITS_AFTER_SWITCH_NS,
                inC.find(NativeReads.WAITS_AFTER_SWITCH).map(Measurement::spread));
    }

    /** Counter and library are in different programs, so their ratio is that of their medians. */
    private void addLibrary(String jdk) {
        String library = library(jdk);
        Map<String, Bound> timesCounter =
                Map.of(" user time", hasFfm(jdk) ? Bound.FFM : Bound.JNI, " stopwatch", Bound.STOPWATCH);
        timesCounter.forEach((read, bound) -> add(
                on(jdk) + library + " ",
                bound,
                average(jdk, library + read)
                        .map(series -> Spread.of(
                                series.spread().median() / inC.counterNs().median()))));
        Optional<Measurement> counter = average(jdk, "rdtsc");
        // A count has to become a user time: two multiplications, one after the other.
        double least = timesCounter(jdk, "rdtsc as user time", counter)
                .map(Spread::median)
                .orElse(NO_LIMIT);
        add(on(jdk), Bound.BEAN, timesCounter(jdk, "threadclock user time", counter), least);
        // A stopwatch reads twice, too.
        add(
                on(jdk) + library + " ",
                Bound.PART_NS,
                average(jdk, library + " part")
                        .flatMap(part -> average(jdk, library + " stopwatch").map(part::less))
                        .map(Measurement::spread));
    }

    private Optional<Spread> timesCounter(String jdk, String contender, Optional<Measurement> counter) {
        return average(jdk, contender).flatMap(series -> counter.map(series::ratioTo));
    }

    private Optional<Measurement> average(String jdk, String contender) {
        return results.find(Benchmarks.JMH_AVERAGE, jdk, contender);
    }

    /** By the medians, because threads that share CPUs wait for one another in the others; less JMH's own looks at a timer. */
    private void addSharedAccount(String jdk) {
        add(
                on(jdk) + library(jdk) + " ",
                Bound.SHARED_PART,
                partNs(jdk, SHARING_THREADS).flatMap(shared -> partNs(jdk, 1).map(alone -> Spread.of(shared / alone))));
    }

    private Optional<Double> partNs(String jdk, double threads) {
        return median(jdk, library(jdk) + " part", threads)
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

    /** Takes the least of each path's rounds, because other allocations of the JVM add to some of them. */
    private void addAllocation(String jdk) {
        double most = results.of(Benchmarks.JMH_ALLOCATION, jdk).stream()
                .mapToDouble(series -> series.spread().least())
                .max()
                .orElseThrow();
        add(on(jdk), Bound.ALLOCATED, Optional.of(Spread.of(most)));
    }

    private void addAccounts(String jdk) {
        for (Work work : ThreadLives.SWITCHES) {
            String name = on(jdk) + "virtual thread's " + work + ", ";
            Contest contest = new Contest(results, Benchmarks.VIRTUAL, jdk, work.toString());
            add(name, Bound.SWITCH_NS, accounted(contest, contest::beyondStock));
            add(name, Bound.SWITCH, accounted(contest, contest::timesStock));
        }
        Contest reading = new Contest(results, Benchmarks.VIRTUAL, jdk, Work.READ.toString());
        add(on(jdk) + Work.READ + ", ", Bound.READ_ACCOUNTED, accounted(reading, reading::timesStock));
    }

    private void addManyAccounts(Contest contest) {
        String name = on(contest.jdk()) + Figure.count(contest.parameter().longValue()) + " virtual threads, "
                + contest.quantity() + ", ";
        switch (contest.quantity()) {
            case ThreadLives.START_AND_END -> add(name, Bound.STARTED, accounted(contest, contest::gain));
            case ThreadLives.HEAP_PARKED -> add(name, Bound.PARKED_BYTES, accounted(contest, contest::beyondStock));
            case ThreadLives.HEAP_ENDED -> add(name, Bound.ENDED_BYTES, accounted(contest, contest::beyondStock));
            default -> {
                // No goal.
            }
        }
    }

    private static String on(String jdk) {
        return "JDK " + jdk + ": ";
    }

    private static Optional<Spread> accounted(Contest contest, Function<String, Spread> comparison) {
        return besideStock(contest, Contest.ACCOUNTED, comparison);
    }

    private static Optional<Spread> gain(Contest contest, String contender) {
        return besideStock(contest, contender, contest::gain);
    }

    /** A contender beside stock, if both were measured. */
    private static Optional<Spread> besideStock(
            Contest contest, String contender, Function<String, Spread> comparison) {
        boolean isMeasured = contest.has(Contest.STOCK) && contest.has(contender);
        return isMeasured ? Optional.of(comparison.apply(contender)) : Optional.empty();
    }

    private static double limit(Contest contest, double leastNs) {
        return contest.find(Contest.STOCK)
                .map(stock -> stock.spread().least() / leastNs)
                .orElse(NO_LIMIT);
    }

    private void add(String prefix, Bound bound, Optional<Spread> reached) {
        add(prefix, bound, reached, NO_LIMIT);
    }

    private void add(String prefix, Bound bound, Optional<Spread> reached, double limit) {
        goals.add(new Goal(prefix + bound.quantity, bound, reached, limit));
    }
}
