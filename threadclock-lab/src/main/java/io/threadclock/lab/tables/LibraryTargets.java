// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Series;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The figures to reach by the Java library, and by every read: nothing allocated. */
final class LibraryTargets {
    private static final int OLDEST_WITH_FFM = 22;
    private static final double TIMES_COUNTER_BY_FFM = 1.6;
    private static final double TIMES_COUNTER_BY_JNI = 2.2;
    private static final double BEAN_TIMES_COUNTER_BY_JNI = 1.1;
    private static final double STOPWATCH_TIMES_COUNTER = 3.5;
    private static final double SNAPSHOT_THREADS = 1000;
    private static final double SNAPSHOT_MS = 0.6;
    /** An object is 8 bytes at the least; what JMH itself allocates is shared out among the reads. */
    private static final double NOTHING_BYTES = 0.05;

    private final Results results;

    LibraryTargets(Results results) {
        this.results = results;
    }

    List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        for (String jdk : results.each(Benchmarks.JMH_AVERAGE, subject -> subject.jdk())) {
            boolean ffm = Jdk.featureOf(jdk) >= OLDEST_WITH_FFM;
            String library = ffm ? "library FFM" : "library JNI";
            double wanted = ffm ? TIMES_COUNTER_BY_FFM : TIMES_COUNTER_BY_JNI;
            targets.add(timesCounter(jdk, library + " user time", wanted));
            targets.add(timesCounter(jdk, library + " stopwatch", STOPWATCH_TIMES_COUNTER));
            targets.add(beanTimesCounter(jdk));
        }
        snapshots().forEach(snapshot -> targets.add(snapshot(snapshot)));
        results.each(Benchmarks.JMH_ALLOCATION, subject -> subject.jdk())
                .forEach(jdk -> targets.add(allocation(jdk)));
        return targets;
    }

    /** What ThreadMXBean takes, with the agent, beside a native method that reads the counter and nothing else. */
    private Target beanTimesCounter(String jdk) {
        String quantity = "JDK " + jdk + ": ThreadMXBean's user time ÷ bare counter by JNI";
        String atMost = "≤ " + Figure.ratio(BEAN_TIMES_COUNTER_BY_JNI);
        Optional<Series> bean = average(jdk, "threadclock user time");
        Optional<Series> counter = average(jdk, "rdtsc");
        if (bean.isEmpty() || counter.isEmpty()) {
            return Target.notMeasured(quantity, atMost);
        }
        Spread times = bean.get().ratioTo(counter.get());
        // A count has to become a user time: two multiplications, one after the other.
        OptionalDouble least = average(jdk, "rdtsc as user time").stream()
                .mapToDouble(series -> series.ratioTo(counter.get()).median())
                .findFirst();
        return new Target(
                quantity,
                atMost,
                Figure.spread(times, Figure::ratio),
                least.isPresent() ? Figure.ratio(least.getAsDouble()) : "",
                Target.atMost(BEAN_TIMES_COUNTER_BY_JNI, times.median(), least.orElse(0)));
    }

    private Optional<Series> average(String jdk, String contender) {
        return results.of(Benchmarks.JMH_AVERAGE).stream()
                .filter(series -> series.subject().jdk().equals(jdk))
                .filter(series -> series.subject().contender().equals(contender))
                .findFirst();
    }

    /** Counter and library are in different programs, so this is of their medians. */
    private Target timesCounter(String jdk, String contender, double wanted) {
        String stopwatch = contender.endsWith("stopwatch") ? ", start + stop" : "";
        String quantity = "JDK " + jdk + ": " + contender + stopwatch + " ÷ bare counter in C";
        String atMost = "≤ " + Figure.ratio(wanted);
        Optional<Series> measured = average(jdk, contender);
        if (measured.isEmpty()) {
            return Target.notMeasured(quantity, atMost);
        }
        Spread ns = measured.get().spread();
        double times = ns.median() / new NativeReads(results).counterNs().median();
        String reached = Figure.ratio(times) + "; " + Figure.spread(ns, Figure::ns) + " ns";
        return new Target(quantity, atMost, reached, "", Target.atMost(wanted, times));
    }

    private List<Series> snapshots() {
        return results.of(Benchmarks.SNAPSHOT).stream()
                .filter(series -> series.subject().parameter() == SNAPSHOT_THREADS)
                .toList();
    }

    private static Target snapshot(Series snapshot) {
        Spread ms = snapshot.spread();
        return new Target(
                "JDK " + snapshot.subject().jdk() + ": snapshot of " + Figure.count((long) SNAPSHOT_THREADS)
                        + " mostly idle threads, ms",
                "≤ " + SNAPSHOT_MS,
                Figure.spread(ms, Figure::plain),
                "",
                Target.atMost(SNAPSHOT_MS, ms.median()));
    }

    private Target allocation(String jdk) {
        // Of each path the least of the rounds: what else allocates in the JVM adds to some of them.
        double mostBytes = results.of(Benchmarks.JMH_ALLOCATION).stream()
                .filter(series -> series.subject().jdk().equals(jdk))
                .mapToDouble(series -> series.spread().least())
                .max()
                .orElseThrow();
        boolean nothing = mostBytes < NOTHING_BYTES;
        return new Target(
                "JDK " + jdk + ": allocated by one read, on every path, bytes",
                "0",
                nothing ? "0" : Figure.plain(mostBytes),
                "",
                nothing ? Target.YES : Target.NO);
    }
}
