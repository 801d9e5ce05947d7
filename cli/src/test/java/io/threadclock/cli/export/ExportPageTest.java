// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests names against documents. Those of the library's meters and of the extension are tested against theirs, too. */
class ExportPageTest {
    private static final Set<ExportedMetric> OF_EXPORT_ALONE =
            EnumSet.of(ExportedMetric.JVM_READ, ExportedMetric.PROCESS_ALLOWED);

    private static String page(String name) throws IOException {
        return Files.readString(Path.of(System.getProperty("threadclock.home", ".."), "docs", name));
    }

    private static String row(ExportedMetric metric) {
        return "`" + metric.prometheus() + (metric.isCounter() ? "_total`" : "`");
    }

    @ParameterizedTest
    @EnumSource
    void thePageHasEachMetric(ExportedMetric metric) throws IOException {
        assertThat(page("export.md")).contains(row(metric));
    }

    @ParameterizedTest
    @EnumSource
    void whatTheLibraryHasIsCalledAsThere(ExportedMetric metric) throws IOException {
        String meters = page("metrics.md");
        if (!OF_EXPORT_ALONE.contains(metric)) {
            assertThat(meters.lines().filter(line -> line.contains(row(metric)) && line.contains(metric.description)))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "POOL_.*")
    void whatTheExtensionHasIsCalledAsThere(ExportedMetric metric) throws IOException {
        assertThat(page("opentelemetry.md").lines())
                .anyMatch(line -> line.contains("| `" + metric.openTelemetrys + "` |")
                        && metric.attributes.stream().allMatch(its -> line.contains("`" + its.openTelemetrys + "`"))
                        && line.endsWith("| " + metric.unit + " |"));
    }
}
