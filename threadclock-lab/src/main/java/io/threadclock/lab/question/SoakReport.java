// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.threadclock.harness.Machine;
import io.threadclock.harness.SetupException;
import io.threadclock.harness.WholeFile;
import io.threadclock.lab.report.Documents;
import io.threadclock.lab.report.Figure;
import io.threadclock.lab.report.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What a soak has come to: the machine, and a column of figures for each JDK.
 *
 * @param command exactly as it was typed
 * @param machine in one line, with the date
 * @param columns by JDK, in the order in which they ran
 */
record SoakReport(String command, String machine, Map<String, Column> columns) {
    private static final ObjectMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final long MS_PER_TENTH = TimeUnit.MINUTES.toMillis(1) / 10;

    /** One JDK. */
    record Column(double minutes, Map<String, Long> amounts, Map<String, Long> faults, List<String> notes) {}

    static SoakReport of(String command, Machine machine, List<SoakResult> results) {
        Map<String, Column> columns = new LinkedHashMap<>();
        for (SoakResult result : results) {
            double minutes = Math.round((double) result.elapsedMs() / MS_PER_TENTH) / 10.0;
            columns.put(result.jdk(), new Column(minutes, result.amounts(), result.faults(), result.notes()));
        }
        return new SoakReport(command, machine.describe(List.of()), columns);
    }

    long faults() {
        return columns.values().stream()
                .flatMap(column -> column.faults().values().stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    String toText() {
        StringBuilder text = new StringBuilder("\n" + machine + "\n\n" + table().toText());
        columns.forEach((jdk, column) -> column.notes()
                .forEach(note -> text.append(jdk).append(": ").append(note).append('\n')));
        return text.append(verdict()).append('\n').toString();
    }

    String toMarkdown() {
        return "`" + command + "` on " + machine + ":\n\n" + table().toMarkdown();
    }

    private String verdict() {
        return faults() == 0 ? "All that has to be 0 is 0." : "Not 0: " + faults() + ". The lines above say what.";
    }

    private Table table() {
        Table table = new Table("", Table.columns("", List.copyOf(columns.keySet())));
        List<String> minutes = new ArrayList<>(List.of("minutes"));
        columns.values().forEach(column -> minutes.add(Double.toString(column.minutes())));
        table.row(minutes);
        rows(table, columns.values().stream().map(Column::amounts).toList());
        rows(table, columns.values().stream().map(Column::faults).toList());
        return table;
    }

    private static void rows(Table table, List<Map<String, Long>> figures) {
        Set<String> names = new LinkedHashSet<>();
        figures.forEach(column -> names.addAll(column.keySet()));
        for (String name : names) {
            List<String> row = new ArrayList<>(List.of(name));
            figures.forEach(column -> row.add(Figure.count(column.getOrDefault(name, 0L))));
            table.row(row);
        }
    }

    /** Where a checkout keeps the soak that its document is made from. */
    static Path kept(Path home) {
        return home.resolve("threadclock-lab/results/soak.json");
    }

    /** @throws SetupException if it is not there, or none */
    static SoakReport read(Path kept) {
        try {
            return MAPPER.readValue(WholeFile.read(kept), SoakReport.class);
        } catch (JsonProcessingException broken) {
            throw new SetupException(
                    "Reading the soak from " + kept + ": it is none. Restore it (git checkout).", broken);
        }
    }

    void write(Path kept) {
        try {
            WholeFile.write(kept, MAPPER.writeValueAsString(this) + "\n");
        } catch (JsonProcessingException unexpected) {
            throw new IllegalStateException("a report that is no JSON", unexpected);
        }
    }

    /** @param home the checkout */
    Documents documents(Path home) {
        return new Documents(home).block("docs/accuracy.md", "soak", toMarkdown());
    }
}
