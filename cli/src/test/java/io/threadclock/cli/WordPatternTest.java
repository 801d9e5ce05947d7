// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.Documented;
import java.util.List;
import org.junit.jupiter.api.Test;

class WordPatternTest {
    private static WordPattern of(String regex) {
        return new WordPattern.Converter().convert(regex);
    }

    @Test
    void isFoundInOneWordOrOverSeveral() {
        List<String> words = List.of("java", "-jar", "/srv/orders.jar", "orders.jar");
        assertThat(of("^java").isIn(words)).isTrue();
        assertThat(of("-jar .*orders").isIn(words)).isTrue();
        assertThat(of("gradle").isIn(words)).isFalse();
    }

    /** Anybody may start a program with such words. */
    @Test
    void oneThatTakesTooLongIsRefused() {
        Documented.refusal(() -> of("(.*a){20}c").isIn(List.of("a".repeat(60) + "b")));
    }
}
