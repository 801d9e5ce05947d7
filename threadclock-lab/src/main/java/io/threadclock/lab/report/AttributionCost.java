// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static io.threadclock.lab.report.Table.number;
import static io.threadclock.lab.report.Table.words;

import io.threadclock.harness.Spread;
import io.threadclock.lab.program.EngineProgram;
import io.threadclock.lab.question.CentreInterval;
import io.threadclock.lab.question.EngineCost;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.util.List;
import java.util.Optional;

/** The tables of what an engine pays for knowing the cost of each unit of its work. */
record AttributionCost(Contest throughput, String costs) {
    private static final double PERCENT = 100;
    private static final String UNITS = EngineCost.UNITS;

    /** The costs on each JDK, for each number of threads. */
    static List<AttributionCost> all(Results results) {
        return all(results, Benchmarks.ENGINE_THROUGHPUT, Benchmarks.ENGINE_COST);
    }

    /** The same of virtual threads. */
    static List<AttributionCost> allVirtual(Results results) {
        return all(results, Benchmarks.SPLITS_THROUGHPUT, Benchmarks.SPLITS_COST);
    }

    private static List<AttributionCost> all(Results results, String throughput, String costs) {
        return results.each(
                throughput,
                subject -> new AttributionCost(
                        new Contest(results, throughput, subject.jdk(), UNITS, subject.parameter()), costs));
    }

    String jdk() {
        return throughput.jdk();
    }

    /** The share of throughput, with the bounds of a confidence of 95 %; it may be below 0 because of noise. */
    Optional<Spread> ofThroughput(String contender) {
        return share(UNITS, contender);
    }

    /** The share of the CPU time of a unit. */
    Optional<Spread> ofCpuTime(String contender) {
        return share("CPU time", contender);
    }

    private Optional<Spread> share(String quantity, String contender) {
        return new Contest(throughput.results(), costs, jdk(), quantity, throughput.parameter())
                .find(contender)
                .map(AttributionCost::share);
    }

    private static Spread share(Measurement percents) {
        Spread percent = CentreInterval.of(percents.rounds()).toSpread();
        return new Spread(percent.median() / PERCENT, percent.least() / PERCENT, percent.greatest() / PERCENT);
    }

    static String text(Spread share) {
        return Figure.spread(share, Figure::percent);
    }

    /** The same of virtual threads. */
    static Table virtual(Results results) {
        Table table = new Table(
                "A database whose virtual threads attribute their work",
                words("JDK"),
                number("units of work/s: median (least–most), unaccounted"),
                number("accounted, with attribution"),
                number("costs of throughput (95 %)"));
        for (AttributionCost attribution : allVirtual(results)) {
            table.row(
                    attribution.jdk(),
                    Figure.nsOf(attribution.throughput(), EngineCost.OFF),
                    Figure.nsOf(attribution.throughput(), Contest.THREADCLOCK),
                    attribution
                            .ofThroughput(Contest.THREADCLOCK)
                            .map(AttributionCost::text)
                            .orElse(""));
        }
        return table.note("QuestDB, two schedulers in turn, of " + EngineProgram.SPLITS
                + " virtual threads each: one of them at a time runs for a quantum of a millisecond, and the "
                + "one that has used the least time is next. The threads of one scheduler are as the JDK makes "
                + "them, and it counts the wall time of quanta; those of the other are accounted, a stopwatch "
                + "tells the user and CPU time of each unit of work, and it counts that CPU time.");
    }

    /** A database's throughput, and the part of it that attribution costs. */
    static Table table(Results results) {
        Table table = new Table(
                "A database that attributes its work",
                words("JDK"),
                words("attribution"),
                number("units of work/s: median (least–most)"),
                number("costs of throughput (95 %)"),
                number("of CPU time (95 %)"));
        for (AttributionCost attribution : all(results)) {
            results.each(Benchmarks.ENGINE_THROUGHPUT, Subject::contender).stream()
                    .filter(attribution.throughput()::has)
                    .forEach(contender -> table.row(
                            attribution.jdk(),
                            contender,
                            // The second half's throughput cannot be compared with that of the first.
                            contender.equals(EngineCost.AGENT) ? "" : Figure.nsOf(attribution.throughput(), contender),
                            attribution
                                    .ofThroughput(contender)
                                    .map(AttributionCost::text)
                                    .orElse(""),
                            attribution
                                    .ofCpuTime(contender)
                                    .map(AttributionCost::text)
                                    .orElse("")));
        }
        return table.note("QuestDB, one thread, each unit of work (about 0.1 ms) attributed to whoever asked "
                + "for it: user and CPU time before and after. Slices of a millisecond in turn, so the costs are "
                + "known better than the throughput; in brackets their interval of a confidence of 95 %. The agent is "
                + "attached for a second half, with slices of its own with attribution off.");
    }
}
