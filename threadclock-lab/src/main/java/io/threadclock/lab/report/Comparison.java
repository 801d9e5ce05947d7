// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static io.threadclock.lab.report.Table.number;
import static io.threadclock.lab.report.Table.words;

import io.threadclock.harness.Spread;
import io.threadclock.lab.report.Comparison.Change.Verdict;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares the run with an older one: first the changes that exceed the spread of the rounds, then the rest. */
public record Comparison(Results older, Results newer) {
    private static final List<Double> COMPARED = List.of(50.0, 99.0, 99.9);

    /** For the terminal. */
    public String toText() {
        StringBuilder text = new StringBuilder("\n").append(explanation()).append('\n');
        differences().forEach(difference -> text.append(difference).append('\n'));
        for (Verdict verdict : Verdict.values()) {
            table(verdict).ifPresent(table -> text.append('\n').append(table.toText()));
        }
        return text.append(summary()).append('\n').toString();
    }

    /** For the page, with percentiles. */
    String toMarkdown() {
        StringBuilder text = new StringBuilder("## Against an older run\n\n" + explanation() + "\n\n");
        differences().forEach(difference -> text.append("**").append(difference).append("**\n\n"));
        for (Verdict verdict : Verdict.values()) {
            table(verdict).ifPresent(table -> text.append(table.toMarkdown()));
        }
        percentiles().ifPresent(table -> text.append(table.toMarkdown()));
        return text.append(summary()).append("\n\n").toString();
    }

    private String explanation() {
        Origin before = older.origin();
        return "The older run: " + Objects.requireNonNullElse(before.startedAt(), "date not recorded") + ", version "
                + Objects.requireNonNullElse(before.version(), "not recorded")
                + ". A figure counts as changed only where no round of one run reaches into the rounds of the other.";
    }

    /** If the machines differ, a change says nothing about threadclock. */
    private List<String> differences() {
        Origin before = older.origin();
        Origin after = newer.origin();
        return Stream.of(
                        difference("CPU", before.cpuModel(), after.cpuModel()),
                        difference("number of CPUs", before.cpus(), after.cpus()),
                        difference("kernel", before.kernel(), after.kernel()),
                        difference("HZ", before.ticksPerSecond(), after.ticksPerSecond()))
                .filter(each -> !each.isEmpty())
                .toList();
    }

    private static String difference(String fact, Object before, Object after) {
        return Objects.equals(before, after)
                ? ""
                : "Not the same " + fact + ": " + before + " → " + after
                        + ". Such a difference may explain any change below.";
    }

    private Optional<Table> table(Verdict verdict) {
        List<Change> changes = Change.between(older, newer).stream()
                .filter(change -> change.verdict() == verdict)
                .toList();
        Table table = new Table(
                verdict + ": " + Figure.count(changes.size()),
                words("figure"),
                number("old"),
                number("new"),
                words("unit"),
                number("new ÷ old"));
        changes.forEach(change -> table.row(
                name(change.subject()),
                Figure.spread(change.older(), Figure::plain),
                Figure.spread(change.newer(), Figure::plain),
                change.unit(),
                ratio(change.ratio())));
        return changes.isEmpty() ? Optional.empty() : Optional.of(table);
    }

    /** None where a cost was within noise of nothing, and below. */
    private static String ratio(double ratio) {
        return Double.isFinite(ratio) && ratio > 0 ? Figure.ratio(ratio) : "";
    }

    /** A distribution is over all rounds together, so there is no spread that shows the noise. */
    private Optional<Table> percentiles() {
        List<Table.Column> columns = new ArrayList<>(List.of(words("figure")));
        for (double percentile : COMPARED) {
            columns.add(number(Measurement.percentile(percentile) + ", old → new"));
            columns.add(number("new ÷ old"));
        }
        Table table = new Table("Percentiles", columns);
        table.note("All rounds together, so how much of a difference is noise is not known.");
        for (Measurement after : newer.measurements()) {
            older.find(after.subject())
                    .filter(before -> after.samples() > 0 && before.samples() > 0)
                    .ifPresent(before -> table.row(percentiles(before, after)));
        }
        return table.isEmpty() ? Optional.empty() : Optional.of(table);
    }

    private static List<String> percentiles(Measurement before, Measurement after) {
        List<String> row = new ArrayList<>(List.of(name(after.subject())));
        for (double percentile : COMPARED) {
            Double old = before.percentiles().get(percentile);
            Double now = after.percentiles().get(percentile);
            boolean both = old != null && now != null;
            row.add(both ? Figure.withUnit(old, before.unit()) + " → " + Figure.withUnit(now, after.unit()) : "");
            row.add(both && before.unit().equals(after.unit()) ? ratio(now / old) : "");
        }
        return row;
    }

    private static String name(Subject subject) {
        return Stream.of(
                        subject.benchmark(),
                        ContenderTables.jdk(subject.jdk()),
                        subject.contender(),
                        subject.quantity(),
                        subject.parameter() == null
                                ? ""
                                : Figure.count(subject.parameter().longValue()))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private String summary() {
        String counts = Stream.of(Verdict.values())
                .map(verdict -> verdict + ": "
                        + Figure.count(Change.between(older, newer).stream()
                                .filter(change -> change.verdict() == verdict)
                                .count()))
                .collect(Collectors.joining("; "));
        List<Subject> before = subjects(older);
        List<Subject> after = subjects(newer);
        long gone = before.stream().filter(subject -> !after.contains(subject)).count();
        long added = after.stream().filter(subject -> !before.contains(subject)).count();
        return counts + ". Only in the older run: " + Figure.count(gone) + " figures; only in this one: "
                + Figure.count(added) + ".";
    }

    private static List<Subject> subjects(Results results) {
        return results.measurements().stream().map(Measurement::subject).toList();
    }

    /** One figure in two runs. */
    public record Change(Subject subject, String unit, Spread older, Spread newer, Verdict verdict) {
        private static final String HIGHER_IS_BETTER = "1/s";

        /** The verdicts on two spreads, in the order in which a reader wants to know them. */
        public enum Verdict {
            WORSE("Worse"),
            BETTER("Better"),
            NOISE("The same, or noise: spreads overlap"),
            UNKNOWN("One round only, so no spread");

            private final String title;

            Verdict(String title) {
                this.title = title;
            }

            @Override
            public String toString() {
                return title;
            }
        }

        /** The changes of each result that both runs have, in the newer one's order. */
        public static List<Change> between(Results older, Results newer) {
            return newer.measurements().stream()
                    .filter(Measurement::hasRounds)
                    .flatMap(after -> older
                            .find(after.subject())
                            .filter(Measurement::hasRounds)
                            .filter(before -> before.unit().equals(after.unit()))
                            .map(before -> between(before, after))
                            .stream())
                    .toList();
        }

        public static Change between(Measurement older, Measurement newer) {
            Spread before = older.spread();
            Spread after = newer.spread();
            boolean spreadsAreKnown =
                    older.rounds().size() > 1 && newer.rounds().size() > 1;
            Verdict verdict = spreadsAreKnown ? verdict(before, after, newer.unit()) : Verdict.UNKNOWN;
            return new Change(newer.subject(), newer.unit(), before, after, verdict);
        }

        /** Newer ÷ older. */
        public double ratio() {
            return older.median() == newer.median() ? 1 : newer.median() / older.median();
        }

        /** Rounds that reach into those of the other run say that both are the same, or that the machine is noisy. */
        private static Verdict verdict(Spread before, Spread after, String unit) {
            if (before.least() <= after.greatest() && after.least() <= before.greatest()) {
                return Verdict.NOISE;
            }
            boolean rose = after.median() > before.median();
            return rose == unit.equals(HIGHER_IS_BETTER) ? Verdict.BETTER : Verdict.WORSE;
        }
    }
}
