// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.threadclock.harness.GeneratedBlock;
import io.threadclock.harness.Machine;
import io.threadclock.harness.SetupException;
import io.threadclock.harness.TextTable;
import io.threadclock.harness.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        StringBuilder text = new StringBuilder("\n" + machine + "\n\n" + table().toText() + "\n");
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

    private TextTable table() {
        List<TextTable.Column> titles = new ArrayList<>(List.of(TextTable.left("")));
        columns.keySet().forEach(jdk -> titles.add(TextTable.right(jdk)));
        TextTable table = new TextTable(titles.toArray(TextTable.Column[]::new));
        List<String> minutes = new ArrayList<>(List.of("minutes"));
        columns.values().forEach(column -> minutes.add(Double.toString(column.minutes())));
        table.row(minutes.toArray(String[]::new));
        rows(table, columns.values().stream().map(Column::amounts).toList());
        rows(table, columns.values().stream().map(Column::faults).toList());
        return table;
    }

    private static void rows(TextTable table, List<Map<String, Long>> figures) {
        Set<String> names = new LinkedHashSet<>();
        figures.forEach(column -> names.addAll(column.keySet()));
        for (String name : names) {
            List<String> row = new ArrayList<>(List.of(name));
            figures.forEach(column -> row.add("%,d".formatted(column.getOrDefault(name, 0L))));
            table.row(row.toArray(String[]::new));
        }
    }

    /** The soak that is kept in a checkout, and the block of docs/accuracy.md that is made from it. */
    static final class Document {
        private static final ObjectMapper MAPPER =
                JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
        private static final GeneratedBlock BLOCK = new GeneratedBlock("soak");

        private final Path page;
        private final Path kept;

        /** @param home the checkout */
        Document(Path home) {
            this.page = home.resolve("docs/accuracy.md");
            this.kept = home.resolve("docs/soak.json");
        }

        Path kept() {
            return kept;
        }

        Path page() {
            return page;
        }

        void write(SoakReport report) {
            if (!BLOCK.write(page, report.toMarkdown())) {
                throw new SetupException("Writing the soak into " + page + ": it is not there, or has no block for it. "
                        + "Restore it (git checkout), then run again.");
            }
            try {
                WholeFile.write(kept, MAPPER.writeValueAsString(report) + "\n");
            } catch (JsonProcessingException unexpected) {
                throw new IllegalStateException("a report that is no JSON", unexpected);
            }
        }

        /** Whether the page says something else than what is kept. */
        boolean hasDrifted() throws IOException {
            SoakReport report = MAPPER.readValue(Files.readString(kept), SoakReport.class);
            return !BLOCK.in(Files.readString(page))
                    .equals(Optional.of(report.toMarkdown().strip()));
        }
    }
}
