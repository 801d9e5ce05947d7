// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks threadclock-dashboard.json against the types of dashboards, panels and queries that Grafana publishes. */
@Tag("server")
class DashboardIT {
    private static final String ORIGIN = "of the package npm, to fetch and check Grafana's own types";

    @TempDir
    private Path folder;

    @BeforeEach
    void fetchTypes() throws IOException, InterruptedException {
        String npm = Executable.find("npm", ORIGIN).toString();
        Shipped.copy("/grafana/package.json", folder);
        Shipped.copy("/grafana/package-lock.json", folder);
        run(npm, "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund");
    }

    @Test
    void isADashboardToGrafana() throws IOException, InterruptedException {
        Path source = Shipped.copy("/grafana/dashboard.ts", folder);
        Files.writeString(source, Shipped.dashboardText(), StandardOpenOption.APPEND);
        run(
                Executable.find("node", ORIGIN).toString(),
                "node_modules/typescript/bin/tsc",
                "--noEmit",
                "--strict",
                "--skipLibCheck",
                "--target",
                "es2022",
                "--module",
                "es2022",
                "--moduleResolution",
                "bundler",
                source.toString());
    }

    private void run(String... command) throws IOException, InterruptedException {
        assertThat(Executable.output(folder, List.of(command)))
                .as("what %s says", List.of(command))
                .startsWith("0\n");
    }
}
