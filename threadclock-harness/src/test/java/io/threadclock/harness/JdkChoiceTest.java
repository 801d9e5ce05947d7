// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class JdkChoiceTest {
    private static final Jdk OLD = new Jdk(Path.of("/jdk/11"), "11.0.2", "");
    private static final Jdk MIDDLE = new Jdk(Path.of("/jdk/17"), "17.0.15", "");
    private static final Jdk NEW = new Jdk(Path.of("/jdk/25"), "25", "");
    private static final List<Jdk> FOUND = List.of(OLD, MIDDLE, NEW);

    @Test
    void isAllThatAreNewEnough() {
        assertThat(JdkChoice.among(FOUND, 17, Set.of())).containsExactly(MIDDLE, NEW);
    }

    @Test
    void isOnlyThoseNamed() {
        assertThat(JdkChoice.among(FOUND, 17, Set.of(25))).containsExactly(NEW);
    }

    @Test
    void refusesIfOneThatIsNamedIsMissing() {
        assertThatThrownBy(() -> JdkChoice.among(FOUND, 17, new TreeSet<>(Set.of(17, 21))))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("the JDKs [17, 21]", "JDK 25", "THREADCLOCK_JDKS");
    }

    @Test
    void refusesIfNoneIsNewEnough() {
        assertThatThrownBy(() -> JdkChoice.among(List.of(OLD), 17, Set.of()))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("a JDK 17 or newer", "JDK 11.0.2");
    }
}
