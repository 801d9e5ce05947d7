// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetentionLimitsTest {
    @Test
    void isASizeOrATime() {
        assertThat(RetentionLimits.parse("512m").bytes()).isEqualTo(512L << 20);
        assertThat(RetentionLimits.parse("8g").bytes()).isEqualTo(8L << 30);
        assertThat(RetentionLimits.parse("12h").age()).isEqualTo(Duration.ofHours(12));
        assertThat(RetentionLimits.parse("7d"))
                .isEqualTo(new RetentionLimits(RetentionLimits.USUAL_BYTES, Duration.ofDays(7)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "4", "4t", "-1g", "1m", "0h", "1.5g", "4 g"})
    void isNothingElse(String text) {
        assertThatThrownBy(() -> RetentionLimits.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }
}
