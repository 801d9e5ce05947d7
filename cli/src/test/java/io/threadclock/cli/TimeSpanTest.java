// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class TimeSpanTest {
    private final TimeSpan any = new TimeSpan(Duration.ofNanos(1), Duration.ofDays(36500));

    @ParameterizedTest
    @CsvSource({
        "100000ns, PT0.0001S",
        "250us, PT0.00025S",
        "1.5ms, PT0.0015S",
        "0.1, PT0.1S",
        "90s, PT1M30S",
        "10m, PT10M",
        "8h, PT8H",
        "7d, PT168H"
    })
    void isANumberWithItsUnitOrOfSeconds(String text, Duration time) {
        assertThat(any.convert(text)).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "-1s", "+1s", "1 s", "1S", "1e3", "1s1", "1.", ".5", "0x1", "1234567890", "1min"})
    void isNothingElse(String text) {
        assertThatThrownBy(() -> any.convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("is no time, as in 500ms, 10s");
    }

    @Test
    void isWithinItsBounds() {
        TimeSpan second = new TimeSpan(Duration.ofMillis(100), Duration.ofSeconds(60));
        assertThat(second.convert("100ms")).isEqualTo(Duration.ofMillis(100));
        assertThat(second.convert("1m")).isEqualTo(Duration.ofSeconds(60));
        assertThatThrownBy(() -> second.convert("99ms")).hasMessage("'99ms' is not from 100ms to 1m");
        assertThatThrownBy(() -> second.convert("61")).hasMessage("'61' is not from 100ms to 1m");
    }

    @Test
    void isToldInTheLargestUnitThatHasItWhole() {
        assertThat(TimeSpan.text(Duration.ofMillis(4))).isEqualTo("4ms");
        assertThat(TimeSpan.text(Duration.ofNanos(250_000))).isEqualTo("250us");
        assertThat(TimeSpan.text(Duration.ofNanos(100_001))).isEqualTo("100001ns");
        assertThat(TimeSpan.text(Duration.ofSeconds(90))).isEqualTo("90s");
        assertThat(TimeSpan.text(Duration.ofHours(1))).isEqualTo("1h");
    }
}
