// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests threadclock-alerts.yaml with promtool. */
@Tag("server")
class AlertRulesIT {
    @TempDir
    private Path folder;

    @Test
    void areRulesOfPrometheus() throws IOException, InterruptedException {
        String promtool = Executable.find("promtool").toString();
        Path rules = Shipped.copy("threadclock-alerts.yaml", folder);
        assertThat(Executable.output(folder, List.of(promtool, "check", "rules", "--lint-fatal", rules.toString())))
                .as("what promtool says")
                .startsWith("0\n")
                .contains("7 rules found");
    }

    @Test
    void fireForWhatTheyAreAboutAndNotForItsNeighbour() throws IOException, InterruptedException {
        String promtool = Executable.find("promtool").toString();
        Shipped.copy("threadclock-alerts.yaml", folder);
        Path tests = Shipped.copy("/threadclock-alerts-test.yaml", folder);
        assertThat(Executable.output(folder, List.of(promtool, "test", "rules", tests.toString())))
                .as("what promtool says")
                .startsWith("0\n")
                .contains("SUCCESS");
    }
}
