// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.harness.Figure;
import io.threadclock.harness.Spread;
import io.threadclock.lab.question.CentreInterval;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** What a user decides by, for each JDK: what user time costs, what an engine pays for it, what a read allocates. */
final class Headline {
    private static final String USER_TIME = "user time";
    private static final String STOCK = "stock";
    private static final String THREADCLOCK = "threadclock";
    /** JMH divides all that its own threads allocate by the reads; an object would be 16 bytes at the least. */
    private static final double NOTHING_BYTES = 0.05;

    private final Figures figures;

    Headline(Figures figures) {
        this.figures = figures;
    }

    void write(Html html) {
        Map<String, List<Verdict>> verdicts = new LinkedHashMap<>();
        figures.jdks().forEach(jdk -> verdicts.put(jdk, verdicts(jdk)));
        verdicts.values().removeIf(List::isEmpty);
        if (verdicts.isEmpty()) {
            return;
        }
        html.open("section", "class", "headline", "aria-label", "What to decide by");
        verdicts.forEach((jdk, each) -> writeCard(html, "JDK " + jdk, each));
        html.close("section");
    }

    private static void writeCard(Html html, String title, List<Verdict> verdicts) {
        html.open("article").element("h2", title).open("dl");
        for (Verdict verdict : verdicts) {
            html.open("div", "class", verdict.kind());
            html.element("dt", verdict.what());
            html.element("dd", verdict.figure(), "class", "figure");
            html.element("dd", verdict.detail(), "class", "detail");
            html.close("div");
        }
        html.close("dl").close("article");
    }

    private List<Verdict> verdicts(String jdk) {
        return Stream.of(userTime(jdk), attribution(jdk), allocation(jdk))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<Verdict> userTime(String jdk) {
        return gain(figures.find("loop", jdk, STOCK, USER_TIME), figures.find("loop", jdk, THREADCLOCK, USER_TIME))
                .or(() -> gain(averageOf(jdk, "stock user time"), averageOf(jdk, "threadclock user time")));
    }

    private Optional<Series> averageOf(String jdk, String contender) {
        return figures.seriesOf("jmh.average").stream()
                .filter(one -> one.subject().jdk().equals(jdk))
                .filter(one -> one.subject().contender().equals(contender))
                .findFirst();
    }

    private static Optional<Verdict> gain(Optional<Series> stock, Optional<Series> threadclock) {
        if (stock.isEmpty() || threadclock.isEmpty()) {
            return Optional.empty();
        }
        Series before = stock.get();
        Series after = threadclock.get();
        Spread ratio = before.ratioTo(after);
        String range = Amount.range(ratio, Figure::ratio);
        String detail = Amount.withUnit(before.spread().median(), before.unit()) + " → "
                + Amount.withUnit(after.spread().median(), after.unit())
                + (range.isEmpty() ? "" : "; ratio " + range);
        String what = "user time of the calling thread, stock ÷ threadclock";
        return Optional.of(new Verdict("verdict", what, Figure.ratio(ratio.median()), detail));
    }

    private Optional<Verdict> attribution(String jdk) {
        return cost(jdk, THREADCLOCK)
                .map(cost -> new Verdict(
                        "verdict",
                        "of an engine's throughput is what attribution costs",
                        Amount.percent(cost.median()),
                        detail(cost, cost(jdk, STOCK))));
    }

    private static String detail(Spread cost, Optional<Spread> stock) {
        String rounds = cost.least() == cost.greatest() ? "" : Amount.percentRange(cost) + "; ";
        return rounds
                + stock.map(each -> "with stock user time " + Amount.percent(each.median()))
                        .orElse("stock was not measured");
    }

    /**
     * As a share, with the bounds of a confidence of 95 %, as the run gives it; else from the throughput with and
     * without.
     */
    private Optional<Spread> cost(String jdk, String contender) {
        return most("engine.cost", jdk, contender)
                .map(blocks -> CentreInterval.of(blocks.rounds()).toSpread())
                .map(percent -> new Spread(percent.median() / 100, percent.least() / 100, percent.greatest() / 100))
                .or(() -> lost(jdk, contender));
    }

    private Optional<Spread> lost(String jdk, String contender) {
        return most("engine.throughput", jdk, contender).flatMap(with -> most("engine.throughput", jdk, "off")
                .filter(off ->
                        Objects.equals(off.subject().parameter(), with.subject().parameter()))
                .map(with::ratioTo)
                .map(kept -> new Spread(1 - kept.median(), 1 - kept.greatest(), 1 - kept.least())));
    }

    /** On as many threads as there were at the most. */
    private Optional<Series> most(String benchmark, String jdk, String contender) {
        return figures.seriesOf(benchmark).stream()
                .filter(one -> one.subject().jdk().equals(jdk))
                .filter(one -> one.subject().contender().equals(contender))
                .filter(one -> one.subject().quantity().equals("units of work"))
                .max(Comparator.comparing(Series::subject, byParameter()));
    }

    private static Comparator<Subject> byParameter() {
        return Comparator.comparing(Subject::parameter, Comparator.nullsFirst(Comparator.naturalOrder()));
    }

    /** By the least of the rounds: what else allocates in the JVM adds to some of them. */
    private Optional<Verdict> allocation(String jdk) {
        List<Series> all = figures.seriesOf("jmh.allocation").stream()
                .filter(one -> one.subject().jdk().equals(jdk))
                .toList();
        return all.stream()
                .max(Comparator.comparingDouble(one -> one.spread().least()))
                .map(worst -> allocation(all.size(), worst));
    }

    private static Verdict allocation(int paths, Series worst) {
        double bytes = worst.spread().least();
        String what = "allocated by a read";
        Subject path = worst.subject();
        return bytes < NOTHING_BYTES
                ? new Verdict("verdict", what, "0 B", "on each of " + paths + (paths == 1 ? " path" : " paths"))
                : new Verdict(
                        "verdict bad",
                        what,
                        "up to " + Amount.plain(bytes) + " B",
                        path.contender() + ", " + path.quantity());
    }

    /** @param kind its classes in the style sheet */
    private record Verdict(String kind, String what, String figure, String detail) {}
}
