// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import io.questdb.griffin.SqlException;
import io.threadclock.CpuStopwatch;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.StringJoiner;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a {@link Database} pays for timing each of its queries. All ways to do so work in one JVM, on the same compiled
 * code and data, in turn: in a round each has a slice of a few queries, about a millisecond, in an order that is drawn
 * anew. A way is compared with its baseline of the same round alone, so what happens to the machine happens to both;
 * the median of these ratios has no bias, whatever the noise is like.
 */
final class DatabaseWork {
    private static final int UNITS = 2 * Database.CYCLE;
    /** Units that do not count at the start of a slice: the caches are as the slice before has left them. */
    private static final int LEAD_UNITS = 2;

    private static final int FEWEST_ROUNDS = 50;
    private static final double NS_PER_S = 1e9;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final CpuStopwatch watch = new CpuStopwatch();
    /** The same order in each run. */
    private final Random random = new Random(8_210_452);

    private final Database database;
    /** Nobody reads it, but no compiler can know that. */
    private long chargedNs;

    enum Way {
        /** The baseline: nothing is read. */
        NONE(null),
        /** User and CPU time before and after, by the unmodified ThreadMXBean. */
        BEAN(NONE),
        STOPWATCH(NONE),
        /** The baseline on a virtual thread, which yields after each query. */
        VIRTUAL(null),
        /** A stopwatch on a measured virtual thread. */
        MEASURED(VIRTUAL);

        private final Way baseline;

        Way(Way baseline) {
            this.baseline = baseline;
        }
    }

    /**
     * @param percent the share of the throughput that a way costs, in the median round; low to high: with a confidence
     *     of 95 %
     */
    record Cost(double unitsPerSecond, double percent, double low, double high) {}

    /**
     * @param stock by the JDK's own clock, the library, and on virtual threads; @param agent while the agent is in
     *     force
     */
    record Costs(Map<Way, Cost> stock, Map<Way, Cost> agent) {}

    private DatabaseWork(Database database) {
        this.database = database;
    }

    /** Works twice as long as given, after a warm-up. */
    static Costs measure(Jdk jdk, long workMs, Progress progress) {
        progress.stage(jdk + ": a database");
        String ways = jdk.feature() < Options.OLDEST_WITH_VIRTUAL
                ? " NONE BEAN STOPWATCH"
                : " NONE BEAN STOPWATCH VIRTUAL MEASURED";
        try (Child child = Child.start(jdk, DatabaseWork.class, List.of("-Xms256m"), Child.folder("database"))) {
            child.ask(workMs / 2 + ways);
            Map<Way, Cost> stock = costs(child.ask(workMs + ways));
            child.attach();
            child.ask(workMs / 10 + " NONE BEAN");
            return new Costs(stock, costs(child.ask(workMs + " NONE BEAN")));
        }
    }

    static Stream<Promise> promises(Jdk jdk, boolean isQuick, Progress progress) {
        Costs costs = measure(jdk, isQuick ? 3000 : 20_000, progress);
        String name =
                "JDK " + jdk.version() + ": % of a database's throughput, for timing each 0.1 ms of its work, by ";
        return Stream.of(
                        promise(name + "ThreadMXBean", costs.agent().get(Way.BEAN), 3),
                        promise(name + "stopwatch", costs.stock().get(Way.STOPWATCH), 3),
                        promise(
                                name + "stopwatch in virtual threads",
                                costs.stock().get(Way.MEASURED),
                                15))
                .flatMap(Optional::stream);
    }

    private static Optional<Promise> promise(String name, Cost cost, double most) {
        return Optional.ofNullable(cost).map(it -> new Promise(name, it.percent(), Promise.Sense.AT_MOST, most));
    }

    private static Map<Way, Cost> costs(String answer) {
        Map<Way, Cost> costs = new EnumMap<>(Way.class);
        for (String way : answer.split(";")) {
            String[] words = way.split(" ");
            double[] figures =
                    Stream.of(words).skip(1).mapToDouble(Double::parseDouble).toArray();
            costs.put(Way.valueOf(words[0]), new Cost(figures[0], figures[1], figures[2], figures[3]));
        }
        return costs;
    }

    public static void main(String[] arguments) throws Exception {
        try (Database database = Database.open(Path.of(arguments[0]))) {
            Child.serve(new DatabaseWork(database)::answer);
        }
    }

    /** Works for so many ms in these ways. Answers the figures of each one's {@link Cost}. */
    private String answer(String request) throws Exception {
        String[] words = request.split(" ");
        List<Way> ways =
                new ArrayList<>(Stream.of(words).skip(1).map(Way::valueOf).toList());
        Map<Way, List<Double>> unitNs = new EnumMap<>(Way.class);
        ways.forEach(way -> unitNs.put(way, new ArrayList<>()));
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[0]));
        for (int round = 0; round < FEWEST_ROUNDS || System.nanoTime() - endNs < 0; round++) {
            Collections.shuffle(ways, random);
            for (Way way : ways) {
                unitNs.get(way).add(slice(way));
            }
        }
        StringJoiner answer = new StringJoiner(";");
        unitNs.forEach(
                (way, ns) -> answer.add(way + figures(ns, way.baseline == null ? ns : unitNs.get(way.baseline))));
        return answer.toString();
    }

    /** The bounds are those order statistics between which the median is with a confidence of 95 %. */
    static String figures(List<Double> ns, List<Double> baselineNs) {
        int rounds = ns.size();
        double[] percent = IntStream.range(0, rounds)
                .mapToDouble(round -> 100 * (1 - baselineNs.get(round) / ns.get(round)))
                .sorted()
                .toArray();
        int apart = (int) Math.ceil(0.98 * Math.sqrt(rounds));
        double unitNs =
                Comparison.median(ns.stream().mapToDouble(Double::doubleValue).toArray());
        return " " + NS_PER_S / unitNs + " " + Comparison.median(percent) + " "
                + percent[Math.max(0, rounds / 2 - apart)] + " " + percent[Math.min(rounds - 1, rounds / 2 + apart)];
    }

    /** Returns the wall time of a unit, ns. */
    private double slice(Way way) throws Exception {
        if (way == Way.VIRTUAL || way == Way.MEASURED) {
            return virtualSlice(way);
        }
        work(way, LEAD_UNITS);
        long beginNs = System.nanoTime();
        work(way, UNITS);
        return (double) (System.nanoTime() - beginNs) / UNITS;
    }

    private double virtualSlice(Way way) throws InterruptedException {
        ThreadFactory factory = VirtualThread.factory(way == Way.MEASURED);
        double[] unitNs = {0};
        Thread thread = factory.newThread(() -> {
            try {
                work(way, LEAD_UNITS);
                long beginNs = System.nanoTime();
                work(way, UNITS);
                unitNs[0] = (double) (System.nanoTime() - beginNs) / UNITS;
            } catch (SqlException refused) {
                throw new IllegalStateException("QuestDB refused a query", refused);
            }
        });
        thread.start();
        thread.join();
        return unitNs[0];
    }

    private void work(Way way, int units) throws SqlException {
        for (int i = 0; i < units; i++) {
            unit(way);
        }
    }

    private void unit(Way way) throws SqlException {
        switch (way) {
            case NONE -> database.query();
            case BEAN -> byBean();
            case STOPWATCH -> byStopwatch(watch);
            case VIRTUAL -> {
                database.query();
                Thread.yield();
            }
            case MEASURED -> {
                byStopwatch(new CpuStopwatch());
                Thread.yield();
            }
        }
    }

    private void byBean() throws SqlException {
        long cpuNs = threads.getCurrentThreadCpuTime();
        long userNs = threads.getCurrentThreadUserTime();
        database.query();
        chargedNs += threads.getCurrentThreadCpuTime() - cpuNs + threads.getCurrentThreadUserTime() - userNs;
    }

    private void byStopwatch(CpuStopwatch own) throws SqlException {
        own.start();
        database.query();
        own.stop();
        chargedNs += own.cpuTimeNs() + own.userTimeNs();
    }
}
