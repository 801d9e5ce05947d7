// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.program.Breaches.Breach;
import io.threadclock.lab.program.Breaches.Counts;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.ResultsFile;
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
        ResultsFile kept = new ResultsFile(home.resolve("soak.json"));
        kept.write(report(3).results());
        new SoakReport(kept.read()).documents(home).write();
        assertThat(report(3).documents(home).drifted()).isEmpty();
        assertThat(report(0).documents(home).drifted()).containsExactly(page);
        assertThat(page).content().contains("| exceptions | 3 |", "CPU, 2 CPUs, Linux 6.18, 2026-11-21", "| JDK 17 |");
    }

    @Test
    void ofThisProjectIsWhatItsDocumentSays() {
        Path checkout = Path.of("..").toAbsolutePath().normalize();
        assertThat(new SoakReport(Results.kept(checkout, "soak").read())
                        .documents(checkout)
                        .drifted())
                .as("./threadclock soak --write makes both")
                .isEmpty();
    }

    private static SoakReport report(int exceptions) {
        Origin origin = new Origin(
                "1.0", "./threadclock soak", "2026-11-21", 60, "CPU", false, 2, "6.18", null, "0.1", List.of());
        SoakResult result = new SoakResult("JDK 17", 8192);
        Map<Breach, Long> breaches = exceptions == 0 ? Map.of() : Map.of(Breach.EXCEPTION, (long) exceptions);
        result.counted(new Counts(1000, 0, breaches, Map.of()), 60_000);
        return SoakReport.of(origin, List.of(result));
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
