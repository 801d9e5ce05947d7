// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.lab.results.Change.Verdict;
import io.threadclock.lab.results.Change;
import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Spread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The run against an older one: what has changed by more than the rounds differ, then the rest. */
final class Comparison {
    private static final List<Double> COMPARED = List.of(50.0, 99.0, 99.9);

    private final Origin olderOrigin;
    private final Origin newerOrigin;
    private final Figures older;
    private final Figures newer;

    Comparison(Results older, Results newer) {
        this.olderOrigin = older.origin();
        this.newerOrigin = newer.origin();
        this.older = new Figures(older);
        this.newer = new Figures(newer);
    }

    void write(Html html) {
        html.open("section", "id", "comparison").element("h2", "Against an older run");
        html.element(
                "p",
                "The older run: " + Objects.requireNonNullElse(olderOrigin.startedAt(), "date not recorded")
                        + ", version "
                        + Objects.requireNonNullElse(olderOrigin.version(), "not recorded")
                        + ". A figure counts as changed only where no round of one run reaches into the rounds of "
                        + "the other.",
                "class",
                "explanation");
        differences().forEach(difference -> html.element("p", difference, "class", "warning"));
        writeChanges(html);
        writeDistributions(html);
        html.element("p", unmatched(), "class", "explanation");
        html.close("section");
    }

    /** Between machines that differ a change says nothing of threadclock. */
    private List<String> differences() {
        return Stream.of(
                        difference("CPU", olderOrigin.cpuModel(), newerOrigin.cpuModel()),
                        difference("number of CPUs", olderOrigin.cpus(), newerOrigin.cpus()),
                        difference("kernel", olderOrigin.kernel(), newerOrigin.kernel()),
                        difference("HZ", olderOrigin.ticksPerSecond(), newerOrigin.ticksPerSecond()))
                .filter(each -> !each.isEmpty())
                .toList();
    }

    private static String difference(String fact, Object before, Object after) {
        return Objects.equals(before, after)
                ? ""
                : "Not the same " + fact + ": " + before + " → " + after
                        + ". Such a difference may explain any change below.";
    }

    private void writeChanges(Html html) {
        List<Change> changes = changes();
        List<Change> worse = of(Verdict.WORSE, changes);
        List<Change> better = of(Verdict.BETTER, changes);
        if (worse.isEmpty() && better.isEmpty()) {
            html.element("p", "No figure has changed by more than its rounds differ.");
        }
        writeUnfolded(html, "Worse", worse);
        writeUnfolded(html, "Better", better);
        writeFolded(html, "The same, or noise: spreads overlap", of(Verdict.NOISE, changes));
        writeFolded(html, "One round only, so no spread", of(Verdict.UNKNOWN, changes));
    }

    private static List<Change> of(Verdict verdict, List<Change> changes) {
        return changes.stream().filter(change -> change.verdict() == verdict).toList();
    }

    private void writeUnfolded(Html html, String title, List<Change> changes) {
        if (!changes.isEmpty()) {
            html.element("h3", title + ": " + Figure.count(changes.size()));
            PageTable.writeSideBySide(html, tables(changes));
        }
    }

    private void writeFolded(Html html, String title, List<Change> changes) {
        if (!changes.isEmpty()) {
            html.open("details").element("summary", title + ": " + Figure.count(changes.size()));
            PageTable.writeSideBySide(html, tables(changes));
            html.close("details");
        }
    }

    private List<Change> changes() {
        Map<Subject, Series> before = new HashMap<>();
        older.series().forEach(series -> before.put(series.subject(), series));
        return newer.series().stream()
                .filter(series -> before.containsKey(series.subject()))
                .filter(series -> before.get(series.subject()).unit().equals(series.unit()))
                .map(series -> Change.between(before.get(series.subject()), series))
                .toList();
    }

    /** One for each benchmark. */
    private List<PageTable> tables(List<Change> changes) {
        return Question.inOrder(newer.benchmarks()).stream()
                .map(question -> table(question, changes))
                .filter(table -> table.size() > 0)
                .toList();
    }

    private PageTable table(Question question, List<Change> changes) {
        PageTable table = new PageTable(
                question.title(),
                List.of(
                        PageTable.words(""),
                        PageTable.amount("older"),
                        PageTable.amount("newer"),
                        PageTable.amount("÷ older"),
                        PageTable.range("older, least–most"),
                        PageTable.range("newer, least–most")));
        for (String jdk : newer.jdks()) {
            List<Change> members = changes.stream()
                    .filter(change -> change.subject().benchmark().equals(question.benchmark()))
                    .filter(change -> change.subject().jdk().equals(jdk))
                    .toList();
            if (!members.isEmpty()) {
                table.group(jdk(jdk));
                members.forEach(change -> table.row(cells(change)));
            }
        }
        return table;
    }

    private static List<String> cells(Change change) {
        return List.of(
                name(change.subject()),
                Amount.withUnit(change.older().median(), change.unit()),
                Amount.withUnit(change.newer().median(), change.unit()),
                ratio(change.ratio()),
                range(change.older(), change.unit()),
                range(change.newer(), change.unit()));
    }

    private static String range(Spread spread, String unit) {
        return Amount.range(spread, amount -> Amount.withUnit(amount, unit));
    }

    /** A distribution is of all rounds together, so there is no spread to tell noise by. */
    private void writeDistributions(Html html) {
        Map<Subject, Distribution> before = new HashMap<>();
        older.distributions().forEach(one -> before.put(one.subject(), one));
        PageTable table = new PageTable(
                "Older → newer",
                Stream.concat(
                                Stream.of(PageTable.words("")),
                                COMPARED.stream().map(PercentileTable::title).flatMap(title -> Stream.of(
                                        PageTable.range(title), PageTable.amount("÷ older"))))
                        .toList());
        newer.distributions().stream()
                .filter(one -> before.containsKey(one.subject()))
                .forEach(one -> table.row(percentiles(before.get(one.subject()), one)));
        if (table.size() > 0) {
            html.open("details").element("summary", "Percentiles: " + Figure.count(table.size()));
            html.element("p", "All rounds together, so how much of a difference is noise is not known.");
            table.write(html);
            html.close("details");
        }
    }

    private static List<String> percentiles(Distribution before, Distribution after) {
        List<String> cells = new ArrayList<>();
        String title = Question.of(after.subject().benchmark()).title();
        cells.add(title + ": " + jdk(after.subject().jdk()) + ", " + name(after.subject()));
        for (double percentile : COMPARED) {
            Double old = before.percentiles().get(percentile);
            Double now = after.percentiles().get(percentile);
            boolean both = old != null && now != null;
            cells.add(both ? Amount.withUnit(old, before.unit()) + " → " + Amount.withUnit(now, after.unit()) : "");
            cells.add(both && before.unit().equals(after.unit()) ? ratio(now / old) : "");
        }
        return cells;
    }

    /** None where a cost was within noise of nothing, and below. */
    private static String ratio(double ratio) {
        return Double.isFinite(ratio) && ratio > 0 ? Figure.ratio(ratio) : "";
    }

    private static String jdk(String version) {
        return version.isEmpty() ? "C" : "JDK " + version;
    }

    private static String name(Subject subject) {
        Question question = Question.of(subject.benchmark());
        return Stream.of(
                        subject.contender(),
                        subject.contender().contains(subject.quantity()) ? "" : subject.quantity(),
                        subject.parameter() == null ? "" : question.counted(subject.parameter()))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private String unmatched() {
        List<Subject> before = subjects(older);
        List<Subject> after = subjects(newer);
        long gone = before.stream().filter(subject -> !after.contains(subject)).count();
        long added = after.stream().filter(subject -> !before.contains(subject)).count();
        return "Only in the older run: " + Figure.count(gone) + " figures; only in this one: " + Figure.count(added)
                + ".";
    }

    private static List<Subject> subjects(Figures figures) {
        return Stream.concat(
                        figures.series().stream().map(Series::subject),
                        figures.distributions().stream().map(Distribution::subject))
                .toList();
    }
}
