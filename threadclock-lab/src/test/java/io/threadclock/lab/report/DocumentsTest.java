// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kept runs, and the documents that are made from them. */
class DocumentsTest {
    private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path home;

    @Test
    void ofThisProjectSayWhatItsResultsSay() {
        Map<String, Documents> documents = Map.of(
                "bench", new BenchReport(kept("bench")).documents(CHECKOUT),
                "bench --virtual", new BenchReport(kept("bench-virtual")).virtualDocuments(CHECKOUT),
                "bench --spans", new BenchReport(kept("bench-spans")).spansDocuments(CHECKOUT),
                "accuracy", new AccuracyReport(kept("accuracy")).documents(CHECKOUT),
                "accuracy --virtual", new SegmentTable(kept("accuracy-virtual")).documents(CHECKOUT));
        assertThat(documents).allSatisfy((command, made) -> assertThat(made.drifted())
                .as("./threadclock %s --write makes both", command)
                .isEmpty());
    }

    @Test
    void driftIfAFigureIsTypedInOrTheResultsAreOthers() throws IOException {
        Path page =
                Files.writeString(home.resolve("page.md"), "before\n<!-- demo:begin -->\n<!-- demo:end -->\nafter\n");
        Path chart = home.resolve("docs/chart.svg");
        assertThat(documents("| 750× |").write()).containsExactly(page, chart);
        assertThat(page).hasContent("before\n<!-- demo:begin -->\n| 750× |\n<!-- demo:end -->\nafter\n");
        assertThat(documents("| 750× |").drifted()).isEmpty();
        assertThat(documents("| 751× |").drifted()).containsExactly(page);
        Files.writeString(page, Files.readString(page).replace("750×", "751×"));
        Files.writeString(chart, "<svg>751</svg>");
        assertThat(documents("| 750× |").drifted()).containsExactly(page, chart);
    }

    @Test
    void promiseBoundsWhoseBreachIsTold() {
        ErrorBound bound = ErrorBound.all().get(0);
        assertThat(bound.complaint(kept("accuracy"))).isEmpty();
        assertThat(bound.times(1e-9).complaint(kept("accuracy"))).isPresent();
    }

    private static Results kept(String of) {
        return Results.kept(CHECKOUT, of).read();
    }

    private Documents documents(String markdown) {
        return new Documents(home).block("page.md", "demo", markdown).file("docs/chart.svg", "<svg/>");
    }
}
