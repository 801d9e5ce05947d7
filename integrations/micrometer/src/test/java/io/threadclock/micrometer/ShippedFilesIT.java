// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks the alerts with promtool, and the dashboard against the types of dashboards, panels and queries that Grafana
 * publishes.
 */
@Tag("server")
class ShippedFilesIT {
    private static final String ORIGIN = "of the package npm, to fetch and check Grafana's own types";

    @TempDir
    private Path folder;

    @Test
    void theDashboardIsOneToGrafana() throws Exception {
        String npm = Executable.find("npm", ORIGIN).toString();
        String node = Executable.find("node", ORIGIN).toString();
        Shipped.copy("/grafana/package.json", folder);
        Shipped.copy("/grafana/package-lock.json", folder);
        assertSucceeds(npm, "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund");
        Path source = Shipped.copy("/grafana/dashboard.ts", folder);
        Path dashboard = Shipped.copy("threadclock-dashboard.json", folder);
        Files.write(source, Files.readAllBytes(dashboard), StandardOpenOption.APPEND);
        String options = "--noEmit --strict --skipLibCheck --target es2022 --module es2022 --moduleResolution bundler";
        assertSucceeds((node + " node_modules/typescript/bin/tsc " + options + " dashboard.ts").split(" "));
    }

    @Test
    void theAlertsAreRulesOfPrometheus() throws Exception {
        String promtool = Executable.find("promtool").toString();
        Shipped.copy("threadclock-alerts.yaml", folder);
        assertThat(assertSucceeds(promtool, "check", "rules", "--lint-fatal", "threadclock-alerts.yaml"))
                .contains("7 rules found");
    }

    @Test
    void theAlertsFireForWhatTheyAreAboutAndNotForItsNeighbour() throws Exception {
        String promtool = Executable.find("promtool").toString();
        Shipped.copy("threadclock-alerts.yaml", folder);
        Shipped.copy("/threadclock-alerts-test.yaml", folder);
        assertThat(assertSucceeds(promtool, "test", "rules", "threadclock-alerts-test.yaml"))
                .contains("SUCCESS");
    }

    /** Returns what it says. */
    private String assertSucceeds(String... command) throws Exception {
        String said = Executable.output(folder, List.of(command));
        assertThat(said).as("what %s says", List.of(command)).startsWith("0\n");
        return said;
    }
}
