// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LostWakeUpTest {
    @ParameterizedTest
    @CsvSource({
        "25, JDK-8369227 (mended in 25.0.3) JDK-8370887 (mended in 25.0.3) JDK-8373120 (mended in 25.0.4)",
        "25+36, JDK-8369227 (mended in 25.0.3) JDK-8370887 (mended in 25.0.3) JDK-8373120 (mended in 25.0.4)",
        "25.0.2.0.1+7-LTS, JDK-8369227 (mended in 25.0.3) JDK-8370887 (mended in 25.0.3) JDK-8373120 (mended in 25.0.4)",
        "25.0.3, JDK-8373120 (mended in 25.0.4)",
        "26, JDK-8369227 (mended in 26.0.1) JDK-8373120 (mended in 26.0.2)"
    })
    void aBuildsFaultsAreNamedWithTheBuildThatMendsThem(String version, String faults) {
        assertThat(LostWakeUp.told(version).orElse("").replace(",", ""))
                .isEqualTo("virtual threads of JDK " + version + " can miss a wake-up and wait forever: " + faults);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.8.0_492",
                "21.0.5+11",
                "24.0.2",
                "25-ea",
                "25.0.4",
                "26.0.1",
                "26.0.2.1",
                "27-ea",
                "28",
                "x",
                ""
            })
    void nothingIsSaidOfOthers(String version) {
        assertThat(LostWakeUp.told(version)).isEmpty();
    }
}
