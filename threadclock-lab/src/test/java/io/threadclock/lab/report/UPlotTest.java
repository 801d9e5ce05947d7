// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The one library that is kept here as its makers publish it. */
class UPlotTest {
    private static final String VERSION = "1.6.32";

    @ParameterizedTest
    @CsvSource({
        "uPlot.iife.min.js, 19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
        "uPlot.min.css, df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
        "LICENSE, 8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd"
    })
    void isUnchanged(String file, String sha256) throws Exception {
        byte[] bytes = text(file).getBytes(StandardCharsets.UTF_8);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
        assertThat(HexFormat.of().formatHex(digest)).isEqualTo(sha256);
    }

    @Test
    void isOfTheVersionThatItsOriginNames() {
        assertThat(text("uPlot.iife.min.js")).contains("(v" + VERSION + ")");
        assertThat(text("ORIGIN.md")).startsWith("uPlot " + VERSION + " ");
    }

    private static String text(String file) {
        return Page.resource("uplot/" + file);
    }
}
