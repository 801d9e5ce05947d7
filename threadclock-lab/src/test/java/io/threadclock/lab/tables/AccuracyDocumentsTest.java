// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.harness.SetupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccuracyDocumentsTest {
    @TempDir
    private Path home;

    private Path document;

    @BeforeEach
    void makeACheckout() throws IOException {
        Files.createDirectory(home.resolve("docs"));
        document = Files.writeString(
                home.resolve("docs/accuracy.md"), "# x\n<!-- accuracy:begin -->\n<!-- accuracy:end -->\nafter\n");
    }

    @Test
    void areWhatTheResultsBesideThemSay() {
        assertThat(write()).hasSize(4).allSatisfy(file -> assertThat(file).isRegularFile());
        assertThat(new AccuracyDocuments(home).drifted()).isEmpty();
        assertThat(document)
                .content(UTF_8)
                .contains("| spin | 99.9 % | 20 (40) | 0.25 (1.5) |", "](accuracy-request.svg)", "- perf refused")
                .endsWith("after\n");
    }

    @Test
    void driftIfAFigureIsTypedIn() throws IOException {
        write();
        replace(document, "0.25 (1.5)", "0.24 (1.5)");
        assertThat(new AccuracyDocuments(home).drifted()).containsExactly(document);
    }

    @Test
    void driftIfTheResultsAreOthers() throws IOException {
        write();
        replace(home.resolve("docs/accuracy.json"), "48.4", "47.4");
        assertThat(new AccuracyDocuments(home).drifted())
                .containsExactly(document, home.resolve("docs/accuracy-request.svg"));
    }

    @Test
    void refuseADocumentWithoutABlock() throws IOException {
        Files.writeString(document, "no block");
        assertThatThrownBy(this::write)
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll(document.toString(), "Restore it");
    }

    /** Of this checkout. */
    @Test
    void ofThisProjectSayWhatItsResultsSay() {
        AccuracyDocuments documents =
                new AccuracyDocuments(Path.of("..").toAbsolutePath().normalize());
        assertThat(documents.drifted())
                .as("what differs from docs/accuracy.json; ./threadclock accuracy --write makes both")
                .isEmpty();
    }

    private List<Path> write() {
        return new AccuracyDocuments(home)
                .write(MadeUpLaboratory.ofTwoReaders().note("perf refused").results());
    }

    private static void replace(Path file, String before, String after) throws IOException {
        String text = Files.readString(file);
        assertThat(text).contains(before);
        Files.writeString(file, text.replace(before, after));
    }
}
