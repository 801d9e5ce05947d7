// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.OwnClockProbe;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A thread reads the same clock of itself as the current thread, by its id, and in an array. */
class OwnClockIT {
    private static final String ROUNDS = Integer.toString(Thoroughness.orLittle(50_000, 5_000));
    private static final String FEW_ROUNDS = "1000";
    private static final String LAW = "a thread that reads itself in another way reads no less";

    private static final String[] IN_ARRAYS = {
        "cpu.firstInArray", "cpu.lastInArray", "user.firstInArray", "user.lastInArray"
    };

    static Stream<Arguments> jdksAndPresences() {
        return JdksUnderTest.present(Presence.AGENTPATH, Presence.ATTACHED, Presence.BOOSTED);
    }

    @WithTheAgent
    void isTheSameById(Jdk jdk, Presence presence) {
        new Comparisons(readings(jdk, presence), "cpu.byId").assertNoBreach(LAW);
    }

    /** JDK-8372704: some give CPU time for the user time of the own id, without asking the agent. */
    @WithTheAgent
    void isTheSameByIdForUserTimeWhereItIsOnTheStockJdk(Jdk jdk, Presence presence) {
        Facts few = Program.stock(jdk, OwnClockProbe.class, FEW_ROUNDS).facts();
        Comparisons stock = new Comparisons(few, "user.byId");
        assumeTrue(stock.breaches() == 0, jdk + " has another clock for the user time of the own id");
        new Comparisons(readings(jdk, presence), "user.byId").assertNoBreach(LAW);
    }

    @WithTheAgent
    void isTheSameInArrays(Jdk jdk, Presence presence) {
        for (String way : IN_ARRAYS) {
            new Comparisons(readings(jdk, presence), way).assertNoBreach(LAW);
        }
    }

    private static Facts readings(Jdk jdk, Presence presence) {
        return presence.of(Program.stock(jdk, OwnClockProbe.class, ROUNDS)).facts();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("jdksAndPresences")
    @interface WithTheAgent {}
}
