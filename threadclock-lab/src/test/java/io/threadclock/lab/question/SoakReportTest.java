// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.SetupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakReportTest {
    @TempDir
    private Path home;

    private SoakReport.Document document;

    @BeforeEach
    void makeACheckout() throws IOException {
        document = new SoakReport.Document(home);
        Files.createDirectory(home.resolve("docs"));
        Files.writeString(document.page(), "# x\n<!-- soak:begin -->\n<!-- soak:end -->\n");
    }

    @Test
    void isWhatTheResultBesideItSays() throws IOException {
        document.write(report(0));
        assertThat(document.hasDrifted()).isFalse();
        assertThat(document.page()).content().contains("| exceptions | 0 |", "some machine", "| JDK 17 |");
    }

    @Test
    void driftsIfAFigureIsTypedIn() throws IOException {
        document.write(report(3));
        Files.writeString(
                document.page(), Files.readString(document.page()).replace("| exceptions | 3 |", "| exceptions | 0 |"));
        assertThat(document.hasDrifted()).isTrue();
    }

    @Test
    void refusesAPageWithoutABlock() throws IOException {
        Files.writeString(document.page(), "no block");
        assertThatThrownBy(() -> document.write(report(0)))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll(document.page().toString(), "Restore it");
        assertThat(document.kept()).doesNotExist();
    }

    /** Of this checkout. */
    @Test
    void ofThisProjectSaysWhatItsSoakSaid() throws IOException {
        SoakReport.Document ours =
                new SoakReport.Document(Path.of("..").toAbsolutePath().normalize());
        assumeTrue(
                Files.exists(ours.kept()),
                "no docs/soak.json in this checkout yet: ./threadclock soak --write keeps it");
        assertThat(ours.hasDrifted())
                .as("whether the soak's table in docs/accuracy.md is another")
                .isFalse();
    }

    static SoakReport report(long exceptions) {
        SoakReport.Column column = new SoakReport.Column(
                30, Map.of("readings judged", 1000L), Map.of("exceptions", exceptions), List.of());
        return new SoakReport("./threadclock soak", "some machine", Map.of("JDK 17", column));
    }

    @Test
    void saysThatAllIsWell() {
        assertThat(report(0).faults()).isZero();
        assertThat(report(0).toText()).contains("1,000").endsWith("All that has to be 0 is 0.\n");
    }

    @Test
    void addsUpWhatIsNot() {
        assertThat(report(3).faults()).isEqualTo(3);
        assertThat(report(3).toText()).contains("Not 0: 3.");
    }
}
