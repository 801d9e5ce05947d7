// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.harness.Spread;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The figures that users decide by, for each JDK: the cost of user time, the cost for an engine, the bytes of a read. */
record Headline(Results results) {
    /** JMH divides all that its own threads allocate by the reads; an object would be 16 bytes at the least. */
    private static final double NOTHING_BYTES = 0.05;

    /** @param kind its classes in the style sheet */
    private record Verdict(String kind, String what, String figure, String detail) {}

    void write(Html html) {
        List<String> jdks = results.measurements().stream()
                .map(series -> series.subject().jdk())
                .distinct()
                .filter(jdk -> !verdicts(jdk).isEmpty())
                .toList();
        if (jdks.isEmpty()) {
            return;
        }
        html.open("section", "class", "headline", "aria-label", "What to decide by");
        for (String jdk : jdks) {
            html.open("article").element("h2", "JDK " + jdk).open("dl");
            for (Verdict verdict : verdicts(jdk)) {
                html.open("div", "class", verdict.kind()).element("dt", verdict.what());
                html.element("dd", verdict.figure(), "class", "figure");
                html.element("dd", verdict.detail(), "class", "detail").close("div");
            }
            html.close("dl").close("article");
        }
        html.close("section");
    }

    private List<Verdict> verdicts(String jdk) {
        return Stream.of(userTime(jdk), attribution(jdk), allocation(jdk))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<Verdict> userTime(String jdk) {
        Contest contest = new Contest(results, Benchmarks.LOOP, jdk, "user time");
        if (!contest.has(Contest.STOCK) || !contest.has(Contest.THREADCLOCK)) {
            return Optional.empty();
        }
        Measurement stock = contest.of(Contest.STOCK);
        Measurement threadclock = contest.of(Contest.THREADCLOCK);
        Spread ratio = contest.gain(Contest.THREADCLOCK);
        String detail = Figure.withUnit(stock.spread().median(), stock.unit()) + " → "
                + Figure.withUnit(threadclock.spread().median(), threadclock.unit()) + "; ratio "
                + Figure.range(ratio, Figure::ratio);
        String what = "user time of the calling thread, stock ÷ threadclock";
        return Optional.of(new Verdict("verdict", what, Figure.ratio(ratio.median()), detail));
    }

    private Optional<Verdict> attribution(String jdk) {
        Optional<AttributionCost> attribution = AttributionCost.all(results).stream()
                .filter(each -> each.jdk().equals(jdk))
                .findFirst();
        return attribution.flatMap(each -> each.ofThroughput(Contest.THREADCLOCK)
                .map(cost -> new Verdict(
                        "verdict",
                        "of an engine's throughput is what attribution costs",
                        Figure.percent(cost.median()),
                        Figure.range(cost, Figure::percent) + "; with stock user time "
                                + each.ofThroughput(Contest.STOCK)
                                        .map(AttributionCost::text)
                                        .orElse("not measured"))));
    }

    /** Takes the least of the rounds, because other allocations of the JVM add to some of them. */
    private Optional<Verdict> allocation(String jdk) {
        List<Measurement> all = results.of(Benchmarks.JMH_ALLOCATION, jdk);
        return all.stream()
                .max(Comparator.comparingDouble(one -> one.spread().least()))
                .map(worst ->
                        allocation(all.size(), worst.subject(), worst.spread().least()));
    }

    private static Verdict allocation(int paths, Subject worst, double bytes) {
        String what = "allocated by a read";
        return bytes < NOTHING_BYTES
                ? new Verdict("verdict", what, "0 B", "on each of " + paths + (paths == 1 ? " path" : " paths"))
                : new Verdict(
                        "verdict bad",
                        what,
                        "up to " + Figure.plain(bytes) + " B",
                        worst.contender() + ", " + worst.quantity());
    }
}
