// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.AccuracyResults;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;

/** What is promised, each beside the worst that a run has measured. */
public record BoundTable(AccuracyResults results) {
    /** Promise, worst figure, its workload, whether it holds; of what the run has measured. */
    public List<List<String>> rows() {
        return ErrorBound.all().stream()
                .flatMap(bound -> bound.worst(results).stream()
                        .map(worst -> List.of(
                                bound.toString(),
                                ErrorTable.figure(worst.amount()),
                                worst.workload(),
                                bound.complaint(results).isEmpty() ? "yes" : "no")))
                .toList();
    }

    Section section() {
        TextTable table = new TextTable(
                TextTable.left("promise"),
                TextTable.right("worst"),
                TextTable.left("workload"),
                TextTable.left("holds"));
        rows().forEach(row -> table.row(row.toArray(String[]::new)));
        return new Section("The promise, and the worst that was measured", table, List.of());
    }
}
