// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakReportTest {
    @TempDir
    private Path home;

    @Test
    void isKeptAsItIs() throws IOException {
        Files.createDirectory(home.resolve("docs"));
        Path page =
                Files.writeString(home.resolve("docs/accuracy.md"), "# x\n<!-- soak:begin -->\n<!-- soak:end -->\n");
        report(3).write(SoakReport.kept(home));
        SoakReport.read(SoakReport.kept(home)).documents(home).write();
        assertThat(report(3).documents(home).drifted()).isEmpty();
        assertThat(report(0).documents(home).drifted()).containsExactly(page);
        assertThat(page).content().contains("| exceptions | 3 |", "some machine", "| JDK 17 |");
    }

    /** Of this checkout. */
    @Test
    void ofThisProjectIsWhatItsDocumentSays() {
        Path checkout = Path.of("..").toAbsolutePath().normalize();
        assertThat(SoakReport.read(SoakReport.kept(checkout))
                        .documents(checkout)
                        .drifted())
                .as("./threadclock soak --write makes both")
                .isEmpty();
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
