// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JdkTest {
    private static Jdk jdk(String version) {
        return new Jdk(Path.of("/jdk"), version, "");
    }

    @Test
    void featureVersionIsTheFirstNumberFromJdk9On() {
        assertThat(jdk("17.0.15").feature()).isEqualTo(17);
        assertThat(jdk("26-ea").feature()).isEqualTo(26);
    }

    @Test
    void featureVersionOfJdk8IsItsSecondNumber() {
        assertThat(jdk("1.8.0_402").feature()).isEqualTo(8);
    }

    @Test
    void versionsAreComparedAsNumbersAndNotAsText() {
        assertThat(Stream.of("25", "17.0.15", "17.0.9", "1.8.0_402", "25.0.4.7.1", "25.0.4")
                        .map(JdkTest::jdk)
                        .sorted(Jdk.BY_VERSION)
                        .map(Jdk::version))
                .containsExactly("1.8.0_402", "17.0.9", "17.0.15", "25", "25.0.4", "25.0.4.7.1");
    }

    @Test
    void namesItselfWithItsVendorWhereThatIsKnown() {
        assertThat(new Jdk(Path.of("/jdk"), "25.0.1", "Eclipse Adoptium")).hasToString("JDK 25.0.1 (Eclipse Adoptium)");
        assertThat(jdk("17.0.15")).hasToString("JDK 17.0.15");
    }
}
