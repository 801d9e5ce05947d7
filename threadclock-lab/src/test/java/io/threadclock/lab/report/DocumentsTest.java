// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.harness.SetupException;
import io.threadclock.lab.results.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentsTest {
    private static final String EMPTY = "before\n<!-- demo:begin -->\n<!-- demo:end -->\nafter\n";

    @TempDir
    private Path home;

    private Path page;

    @BeforeEach
    void makeACheckout() throws IOException {
        page = Files.writeString(home.resolve("page.md"), EMPTY);
    }

    @Test
    void replaceWhatIsBetweenTheMarkersAndNothingElse() {
        assertThat(documents("new\n\ntable\n").write()).containsExactly(page, home.resolve("docs/chart.svg"));
        assertThat(page).hasContent("before\n<!-- demo:begin -->\nnew\n\ntable\n<!-- demo:end -->\nafter\n");
        assertThat(home.resolve("docs/chart.svg")).hasContent("<svg/>");
    }

    @Test
    void areTheSameWhenTheyAreWrittenTwice() throws IOException {
        documents("table").write();
        String once = Files.readString(page);
        documents("table").write();
        assertThat(page).hasContent(once);
        assertThat(documents("table").drifted()).isEmpty();
    }

    @Test
    void driftIfAFigureIsTypedIn() throws IOException {
        documents("| 750× |").write();
        Files.writeString(page, Files.readString(page).replace("750×", "751×"));
        Files.writeString(home.resolve("docs/chart.svg"), "<svg>751</svg>");
        assertThat(documents("| 750× |").drifted()).containsExactly(page, home.resolve("docs/chart.svg"));
    }

    @Test
    void driftIfTheResultsAreOthers() {
        documents("| 750× |").write();
        assertThat(documents("| 751× |").drifted()).containsExactly(page);
    }

    @Test
    void leaveBlocksOfOtherNamesAlone() throws IOException {
        Files.writeString(page, "<!-- demo:readme:begin -->\nkept\n<!-- demo:readme:end -->\n" + EMPTY);
        documents("new").write();
        assertThat(page).content().contains("\nkept\n");
    }

    @Test
    void refuseADocumentWithoutTheBlockAndWriteNone() throws IOException {
        Path other = Files.writeString(home.resolve("other.md"), "<!-- demo:begin -->\nall the rest\n");
        assertThatThrownBy(
                        () -> documents("new").block("other.md", "demo", "new").write())
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll(other.toString(), "<!-- demo:end -->", "Restore it");
        assertThat(page).hasContent(EMPTY);
    }

    @Test
    void ofThisProjectSayWhatItsResultsSay() {
        Path checkout = Path.of("..").toAbsolutePath().normalize();
        BenchReport bench = new BenchReport(Results.kept(checkout, "bench").read());
        assertThat(bench.documents(checkout).drifted())
                .as("./threadclock bench --write makes both")
                .isEmpty();
        AccuracyReport accuracy =
                new AccuracyReport(Results.kept(checkout, "accuracy").read());
        assertThat(accuracy.documents(checkout).drifted())
                .as("./threadclock accuracy --write makes both")
                .isEmpty();
        BenchReport virtual =
                new BenchReport(Results.kept(checkout, "bench-virtual").read());
        assertThat(virtual.virtualDocuments(checkout).drifted())
                .as("./threadclock bench --virtual --write makes both")
                .isEmpty();
        BenchReport spans =
                new BenchReport(Results.kept(checkout, "bench-spans").read());
        assertThat(spans.spansDocuments(checkout).drifted())
                .as("./threadclock bench --spans --write makes it")
                .isEmpty();
        SegmentTable segments =
                new SegmentTable(Results.kept(checkout, "accuracy-virtual").read());
        assertThat(segments.documents(checkout).drifted())
                .as("./threadclock accuracy --virtual --write makes it")
                .isEmpty();
    }

    private Documents documents(String markdown) {
        return new Documents(home).block("page.md", "demo", markdown).file("docs/chart.svg", "<svg/>");
    }
}
