// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import static io.threadclock.bench.Promise.figure;

import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Bursts of user work that are shorter than a tick, by the default split: how far off is each phase of the tick? */
final class Bursts {
    private static final int RUNS = 9;
    private static final int QUICK_RUNS = 3;
    private static final int BURSTS = 40;
    private static final double WHOLE = 100;
    /** Beyond 0 or 100 % by as much, a phase is told something that cannot be. */
    private static final double ROUNDING = 0.5;

    private static final double MEAN_MOST = 5;
    private static final double WORST_MOST = 12;
    private static final String PROMISE =
            "Promised: in the median of the runs, at most %.0f points in the mean, and %.0f in the worst phase.%n";

    private static final String HEADINGS =
            """

            User time of bursts of 0.3 ms at 16 phases of the clock tick, after 0.2 s in the kernel: points of their CPU time
            that are missing or too many, as the median of runs (least to most)
            JDK          runs   mean of the phases       worst phase   phases at 0 % or beyond 100 %
            """;

    private Bursts() {}

    /** Prints a table, and returns whether what is promised was kept. */
    static boolean measure(List<Jdk> jdks, boolean isQuick) {
        boolean areKept = true;
        System.out.print(HEADINGS);
        try (Progress progress = Progress.onStderr()) {
            for (Jdk jdk : jdks) {
                List<double[]> runs = new ArrayList<>();
                for (int run = 0; run < (isQuick ? QUICK_RUNS : RUNS); run++) {
                    progress.stage(jdk + ": bursts, run " + (run + 1));
                    runs.add(percents(jdk, BURSTS, List.of(Child.agent().jvmOption(""))));
                }
                progress.clear();
                System.out.printf(Locale.ROOT, "%-12s %4d %20s %17s %9d%n", row(jdk, runs));
                areKept &= median(runs, Bursts::mean) <= MEAN_MOST && median(runs, Bursts::worst) <= WORST_MOST;
            }
        }
        System.out.printf(Locale.ROOT, PROMISE, MEAN_MOST, WORST_MOST);
        return areKept;
    }

    private static double mean(double[] run) {
        return errors(run).average().orElse(Double.NaN);
    }

    private static double worst(double[] run) {
        return errors(run).max().orElse(Double.NaN);
    }

    private static double median(List<double[]> runs, ToDoubleFunction<double[]> figure) {
        return Comparison.median(runs.stream().mapToDouble(figure).sorted().toArray());
    }

    private static Object[] row(Jdk jdk, List<double[]> runs) {
        String mean = spread(runs, Bursts::mean);
        String worst = spread(runs, Bursts::worst);
        long impossible = runs.stream()
                .flatMapToDouble(DoubleStream::of)
                .filter(percent -> percent < ROUNDING || percent > WHOLE + ROUNDING)
                .count();
        return new Object[] {jdk.version(), runs.size(), mean, worst, impossible};
    }

    /**
     * The user time of the bursts of each phase, in % of their CPU time; without phases at which few were on time.
     *
     * @param options by which the JVM gets the agent, or none
     */
    static double[] percents(Jdk jdk, long bursts, List<String> options) {
        try (Child child = Child.start(jdk, TickTrap.class, options)) {
            String answer = child.ask(Long.toString(bursts));
            child.requireAgent();
            return Stream.of(answer.split(" "))
                    .mapToDouble(Double::parseDouble)
                    .filter(percent -> !Double.isNaN(percent))
                    .toArray();
        }
    }

    private static DoubleStream errors(double[] percents) {
        return DoubleStream.of(percents).map(percent -> Math.abs(percent - WHOLE));
    }

    private static String spread(List<double[]> runs, ToDoubleFunction<double[]> figure) {
        double[] all = runs.stream().mapToDouble(figure).sorted().toArray();
        return figure(Comparison.median(all)) + " (" + figure(all[0]) + " to " + figure(all[all.length - 1]) + ")";
    }
}
