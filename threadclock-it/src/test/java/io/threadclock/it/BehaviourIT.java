// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.BehaviourProbe;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All answers except the times are as on the stock JDK, for every caller, every thread and every method. */
class BehaviourIT {
    /** Fewer would mean that the probe has left something out: states × askers × kinds of ids × forms. */
    private static final int LEAST_ANSWERS = 1000;

    private static final Map<Jdk, Facts> STOCK = new ConcurrentHashMap<>();

    static Stream<Arguments> withTheAgent() {
        return JdksUnderTest.allAndTheOldest()
                .flatMap(jdk -> presencesIn(jdk).map(presence -> Arguments.of(jdk, presence)));
    }

    private static Stream<Presence> presencesIn(Jdk jdk) {
        Stream<Presence> all = Stream.of(
                Presence.AGENTPATH, Presence.ATTACHED, Presence.DETACHED, Presence.BOOSTED, Presence.UNBOOSTED);
        return Thoroughness.BRIEF
                ? Stream.of(Presence.ATTACHED)
                : all.limit(Thoroughness.isOldestOrNewest(jdk) ? 5 : 3);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("withTheAgent")
    void isTheStockJdks(Jdk jdk, Presence presence) {
        Facts stock = STOCK.computeIfAbsent(jdk, run -> behaviour(jdk, Presence.STOCK));
        assertThat(stock.byName()).as("answers of the stock JDK").hasSizeGreaterThan(LEAST_ANSWERS);
        assertThat(behaviour(jdk, presence).differencesFrom(stock))
                .as("answers with the agent against those of the stock JDK")
                .isEmpty();
    }

    private static Facts behaviour(Jdk jdk, Presence presence) {
        return presence.of(Program.stock(jdk, BehaviourProbe.class)).facts();
    }
}
