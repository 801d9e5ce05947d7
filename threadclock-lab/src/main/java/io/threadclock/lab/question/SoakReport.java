// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.lab.report.Documents;
import io.threadclock.lab.report.Figure;
import io.threadclock.lab.report.Table;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The result of a soak: the machine, and a column of counts for each JDK. */
record SoakReport(Results results) {
    static SoakReport of(Origin origin, List<SoakResult> soaks) {
        List<Measurement> measured = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (SoakResult soak : soaks) {
            measured.addAll(soak.measurements());
            soak.notes().forEach(note -> notes.add(soak.jdk() + ": " + note));
        }
        return new SoakReport(new Results(origin, measured, notes));
    }

    boolean isEmpty() {
        return results.measurements().isEmpty();
    }

    /** The sum of all counts that must be 0. */
    long faults() {
        return results.measurements().stream()
                .filter(each -> each.most() != null)
                .mapToLong(each -> (long) each.spread().median())
                .sum();
    }

    String toText() {
        StringBuilder text = new StringBuilder("\n" + results.origin().describe() + "\n\n" + table().toText());
        results.notes().forEach(note -> text.append(note).append('\n'));
        return text.append(verdict()).append('\n').toString();
    }

    private String toMarkdown() {
        Origin origin = results.origin();
        return "`" + origin.command() + "` on " + origin.describe() + ":\n\n"
                + table().only(row -> !mustBeZero().contains(row.get(0))).toMarkdown()
                + "Of " + mustBeZero().size() + " counts that have to be 0, the sum is " + faults() + ".\n";
    }

    private List<String> mustBeZero() {
        return results.measurements().stream()
                .filter(each -> each.most() != null)
                .map(each -> each.subject().quantity())
                .distinct()
                .toList();
    }

    private String verdict() {
        return faults() == 0 ? "All that has to be 0 is 0." : "Not 0: " + faults() + ". The lines above say what.";
    }

    private Table table() {
        List<String> jdks = results.each(Benchmarks.SOAK, Subject::jdk);
        Table table = new Table("", Table.columns("", jdks));
        for (String quantity : results.each(Benchmarks.SOAK, Subject::quantity)) {
            List<String> row = new ArrayList<>(List.of(quantity));
            jdks.forEach(jdk -> row.add(results.find(SoakResult.subject(jdk, quantity))
                    .map(SoakReport::figure)
                    .orElse("0")));
            table.row(row);
        }
        return table;
    }

    private static String figure(Measurement measured) {
        double figure = measured.spread().median();
        return measured.unit().equals(SoakResult.MINUTES) ? Double.toString(figure) : Figure.count((long) figure);
    }

    /** @param home the checkout */
    Documents documents(Path home) {
        return new Documents(home).block("docs/accuracy.md", "soak", toMarkdown());
    }
}
