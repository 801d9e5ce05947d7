// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.SetupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentsTest {
    @TempDir
    private Path home;

    private Path readme;
    private Path tables;

    @BeforeEach
    void makeACheckout() throws IOException {
        Files.createDirectory(home.resolve("docs"));
        readme = Files.writeString(
                home.resolve("README.md"), "# x\n<!-- bench:readme:begin -->\n<!-- bench:readme:end -->\n");
        tables = Files.writeString(
                home.resolve("docs/benchmarks.md"), "# y\n<!-- bench:begin -->\n<!-- bench:end -->\n");
    }

    @Test
    void areWhatTheResultsBesideThemSay() {
        write();
        assertThat(new Documents(home).drifted()).isEmpty();
        assertThat(readme).content(UTF_8).contains("| 9,000 | 12.0 | 750× |").startsWith("# x\n");
        assertThat(home.resolve("docs/results.json")).isRegularFile();
    }

    @Test
    void driftIfAFigureIsTypedIn() throws IOException {
        write();
        replace(readme, "750×", "751×");
        assertThat(new Documents(home).drifted()).containsExactly(readme);
    }

    @Test
    void driftIfTheResultsAreOthers() throws IOException {
        write();
        replace(home.resolve("docs/results.json"), "9000.0", "9900.0");
        assertThat(new Documents(home).drifted()).containsExactly(readme, tables);
    }

    @Test
    void driftIfTheChartIsAnother() throws IOException {
        write();
        replace(home.resolve("docs/growth.svg"), "8,000 µs", "8,001 µs");
        assertThat(new Documents(home).drifted()).containsExactly(home.resolve("docs/growth.svg"));
    }

    @Test
    void refuseADocumentWithoutABlock() throws IOException {
        Files.writeString(readme, "no block");
        assertThatThrownBy(this::write)
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll(readme.toString(), "Restore it");
    }

    /** Of this checkout. */
    @Test
    void ofThisProjectSayWhatItsResultsSay() {
        Documents documents = new Documents(Path.of("..").toAbsolutePath().normalize());
        assumeTrue(
                Files.exists(documents.results()),
                "no docs/results.json in this checkout yet: ./threadclock bench --write keeps it");
        assertThat(documents.drifted())
                .as("documents that differ from what docs/results.json says; ./threadclock bench --write makes both")
                .isEmpty();
    }

    private void write() {
        new Documents(home).write(MadeUpRun.ofEverything("17.0.15").results());
    }

    private static void replace(Path file, String before, String after) throws IOException {
        String text = Files.readString(file);
        assertThat(text).contains(before);
        Files.writeString(file, text.replace(before, after));
    }
}
