// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Change;
import io.threadclock.lab.results.Subject;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Each figure of two runs, old beside new. */
public final class ChangeTable {
    private final List<Change> changes;

    public ChangeTable(List<Change> changes) {
        this.changes = changes;
    }

    public String toText() {
        if (changes.isEmpty()) {
            return "\nNo figure is in both runs: there is nothing to compare.\n";
        }
        TextTable table = new TextTable(
                TextTable.left("figure"),
                TextTable.right("old"),
                TextTable.right("new"),
                TextTable.left("unit"),
                TextTable.right("new ÷ old"),
                TextTable.left(""));
        changes.forEach(change -> table.row(
                name(change.subject()),
                Figure.spread(change.older(), Figure::plain),
                Figure.spread(change.newer(), Figure::plain),
                change.unit(),
                Double.isFinite(change.ratio()) ? Figure.ratio(change.ratio()) : "",
                change.verdict().toString()));
        return "\n" + new Section("Since the older run: median (least–most)", table, List.of(summary())).toText();
    }

    private String summary() {
        String counts = Stream.of(Change.Verdict.values())
                .map(verdict -> verdict + ": " + count(verdict))
                .collect(Collectors.joining("; "));
        return counts + ". Worse and better: no round of one run reaches into the other's.";
    }

    private String count(Change.Verdict verdict) {
        return Figure.count(changes.stream().filter(change -> change.verdict() == verdict).count());
    }

    private static String name(Subject subject) {
        return Stream.of(
                        subject.benchmark(),
                        subject.jdk().isEmpty() ? "C" : "JDK " + subject.jdk(),
                        subject.contender(),
                        subject.quantity(),
                        subject.parameter() == null ? "" : Figure.count(subject.parameter().longValue()))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }
}
