// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static io.threadclock.lab.report.Table.number;
import static io.threadclock.lab.report.Table.words;

import io.threadclock.lab.program.TimeOfAnother.Neighbour;
import io.threadclock.lab.question.EngineCost;
import io.threadclock.lab.question.ThreadLives;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** All tables of a demo, for the terminal and for the documents. */
public record DemoReport(Results results) {
    private static final double MEDIAN = 50;
    private static final List<Double> PERCENTILES = List.of(MEDIAN, 90.0, 99.0, 99.9, 99.99, 100.0);
    private static final double ONE_THREAD = 1;
    private static final double NS_PER_S = 1e9;

    public String toText() {
        return "\n" + origin() + "\n\n"
                + tables().stream().map(Table::toText).collect(Collectors.joining())
                + notes() + "Took " + results.origin().seconds() + " s.\n\n" + gains();
    }

    /** The gain on this machine, in five lines. */
    private String gains() {
        return call("user time", EngineCost.USER_TIME) + call("CPU time", EngineCost.CPU_TIME) + ofAnother()
                + ofVirtual()
                + "The page: docs/benchmarks.md; this machine's, by ./threadclock bench: report/index.html.\n";
    }

    private String call(String of, String quantity) {
        double stockNs = call(newest(), Contest.STOCK, quantity).at(MEDIAN);
        return faster(
                "A thread's own " + of,
                stockNs,
                call(newest(), EngineCost.AGENT, quantity).at(MEDIAN));
    }

    private String ofAnother() {
        Contest contest = new Contest(results, Benchmarks.BY_ID, newest(), "user time, " + Neighbour.BUSY);
        return faster(
                "Another thread's user time",
                contest.spread(Contest.STOCK).median(),
                contest.spread(Contest.ATTACHED).median());
    }

    private String faster(String what, double stockNs, double threadclockNs) {
        return what + ": " + Figure.ns(stockNs) + " ns by JDK " + newest() + ", " + Figure.ns(threadclockNs)
                + " ns with threadclock: " + Figure.ratio(stockNs / threadclockNs) + ".\n";
    }

    private String ofVirtual() {
        if (results.of(Benchmarks.MOUNTED).isEmpty()) {
            return "A virtual thread (a request): JDK " + newest() + " has none.\n";
        }
        Contest unit = new Contest(
                results, Benchmarks.MOUNTED, newest(), ThreadLives.UNIT, (double) ThreadLives.MOST_CARRIERS_PER_CPU);
        double usedMs = unit.spread(Contest.CARRIERS).median();
        return "A virtual thread (a request): no CPU time by the JDK; mounted, it is for "
                + Figure.ratio(unit.spread(Contest.MOUNTED).median() / usedMs)
                + " the CPU time that it uses; threadclock reads "
                + Figure.ratio(unit.spread(Contest.ACCOUNT).median() / usedMs) + ".\n";
    }

    private String newest() {
        return jdks().get(jdks().size() - 1);
    }

    /** Every table. */
    public String toMarkdown() {
        return origin() + "\n\n" + tables().stream().map(Table::toMarkdown).collect(Collectors.joining()) + notes();
    }

    /** The tick trap in one sentence, for a README that stays short. */
    public String toShortMarkdown() {
        return new TickTrapTable(results).inWords() + "\nMeasured by `./threadclock demo` on "
                + results.origin().describeBriefly() + ".\n";
    }

    /** @param home the checkout */
    public Documents documents(Path home) {
        return new Documents(home)
                .block("README.md", "demo:readme", toShortMarkdown())
                .block(
                        "docs/benchmarks.md",
                        "demo",
                        origin() + "\n\n" + charges().toMarkdown())
                .block(BenchReport.KEPT + "demo.md", "demo:tables", toMarkdown());
    }

    private List<Table> tables() {
        return List.of(calls(), AttributionCost.table(results), charges(), new TickTrapTable(results).byPhase());
    }

    private String origin() {
        return "Measured by `" + results.origin().command() + "` on "
                + results.origin().describe()
                + "; load average before: " + results.origin().loadBefore() + ".";
    }

    private String notes() {
        String notes = results.notes().stream().map(note -> "- " + note + "\n").collect(Collectors.joining());
        return notes.isEmpty() ? "" : notes + "\n";
    }

    private List<String> jdks() {
        return results.each(Benchmarks.ENGINE_CHARGES, Subject::jdk).stream()
                .distinct()
                .toList();
    }

    /** Each call: stock, threadclock and their ratio; and the timer alone. */
    private Table calls() {
        Table table = new Table(
                "One call of ThreadMXBean around a unit of the database's work, wall ns",
                words("JDK"),
                words("call"),
                words("clock"),
                number("calls"),
                number("mean"),
                number("p50"),
                number("p90"),
                number("p99"),
                number("p99.9"),
                number("p99.99"),
                number("max"));
        for (String jdk : jdks()) {
            for (String quantity : List.of(EngineCost.USER_TIME, EngineCost.CPU_TIME)) {
                Measurement stock = call(jdk, Contest.STOCK, quantity);
                Measurement threadclock = call(jdk, EngineCost.AGENT, quantity);
                table.row(row(jdk, quantity, Contest.STOCK, stock));
                table.row(row(jdk, quantity, Contest.THREADCLOCK, threadclock));
                table.row(ratioRow(jdk, quantity, stock, threadclock));
            }
            table.row(row(jdk, EngineCost.TIMER, "", timer(jdk)));
        }
        return table.note(
                "Between two System.nanoTime(), whose own cost is in every number (\"timer alone\": the same with "
                        + "no call between).");
    }

    private static List<String> row(String jdk, String quantity, String clock, Measurement ns) {
        List<String> cells =
                new ArrayList<>(List.of(jdk, quantity, clock, Figure.count(ns.samples()), Figure.ns(ns.mean())));
        PERCENTILES.forEach(percentile -> cells.add(Figure.count((long) ns.at(percentile))));
        return cells;
    }

    private static List<String> ratioRow(String jdk, String quantity, Measurement slow, Measurement fast) {
        List<String> cells =
                new ArrayList<>(List.of(jdk, quantity, "ratio", "", Figure.ratio(slow.mean() / fast.mean())));
        // Both are looks at the same timer, whose steps are a few ns.
        PERCENTILES.forEach(
                percentile -> cells.add(Figure.ratio(slow.at(percentile) / Math.max(1, fast.at(percentile)))));
        return cells;
    }

    /** The charges of units of work, and their errors. */
    private Table charges() {
        Table table = new Table(
                "User time that each unit of work is charged",
                words("JDK"),
                words("clock"),
                number("units of work"),
                number("CPU s"),
                number("user s"),
                number("units with no user time"),
                number("units with user > CPU"),
                number("readings that break a law"));
        for (String jdk : jdks()) {
            for (String clock : List.of(Contest.STOCK, EngineCost.AGENT)) {
                table.row(
                        jdk,
                        clock.equals(Contest.STOCK) ? clock : Contest.THREADCLOCK,
                        Figure.count(charged(jdk, clock, EngineCost.UNITS)),
                        seconds(charged(jdk, clock, EngineCost.CPU_TIME)),
                        seconds(charged(jdk, clock, EngineCost.USER_TIME)),
                        withoutUserTime(jdk, clock),
                        Figure.count(charged(jdk, clock, EngineCost.USER_ABOVE_CPU)),
                        Figure.count(charged(jdk, clock, EngineCost.BROKEN)));
            }
        }
        return table.note("Laws: 0 ≤ user ≤ CPU time, and none of them ever goes backward.")
                .note(
                        "A unit of work takes about a tenth of a millisecond: a clock with steps of 10 ms charges most units "
                                + "nothing, and a few of them a hundred times too much.");
    }

    private String withoutUserTime(String jdk, String clock) {
        return Figure.percentOf(
                charged(jdk, clock, EngineCost.WITHOUT_USER_TIME), charged(jdk, clock, EngineCost.UNITS));
    }

    private Measurement timer(String jdk) {
        return call(jdk, EngineCost.TIMER, EngineCost.TIMER);
    }

    private Measurement call(String jdk, String contender, String quantity) {
        Subject subject = new Subject(Benchmarks.ENGINE_CALL, jdk, contender, quantity, ONE_THREAD);
        return results.find(subject).orElseThrow(() -> new IllegalArgumentException("not measured: " + subject));
    }

    private long charged(String jdk, String contender, String quantity) {
        Contest contest = new Contest(results, Benchmarks.ENGINE_CHARGES, jdk, quantity, ONE_THREAD);
        return (long) contest.spread(contender).median();
    }

    private static String seconds(long ns) {
        return Figure.plain(ns / NS_PER_S);
    }
}
