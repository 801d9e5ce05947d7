// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgramJvmTest {
    @Test
    void allowsWhatNewerJdksWarnOf() {
        assertThat(ProgramJvm.silence(25))
                .containsExactly("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED");
    }

    @Test
    void givesOlderJdksNoOptionThatTheyDoNotKnow() {
        assertThat(ProgramJvm.silence(17)).isEmpty();
        assertThat(ProgramJvm.silence(21)).isEmpty();
        assertThat(ProgramJvm.usualHeaders(21)).isEmpty();
    }

    @Test
    void keepsTheObjectHeadersThatQuestDbWasMadeFor() {
        assertThat(ProgramJvm.usualHeaders(28)).containsExactly("-XX:-UseCompactObjectHeaders");
    }
}
