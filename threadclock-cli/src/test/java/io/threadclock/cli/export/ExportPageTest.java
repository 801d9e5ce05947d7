// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExportPageTest {
    private static final Path PAGE = Path.of(System.getProperty("threadclock.home", ".."), "docs/export.md");

    @ParameterizedTest
    @EnumSource
    void thePageHasEachMeter(ExportedMeter meter) throws IOException {
        String name = new PrometheusNamingConvention().name(meter.meter, Meter.Type.GAUGE, meter.unit);
        assertThat(Files.readString(PAGE)).containsPattern("`" + name + "(_total)?`");
    }
}
