// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.OrderProbe;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Readings of one thread by others never contradict earlier readings by anybody. */
class OrderIT {
    /** 2 × 2 M and 5 × 0.5 M: more than 5 M in each direction over the seven JDKs of a run. */
    private static final int READINGS = 2_000_000;

    private static final int FEWER_READINGS = 500_000;
    private static final int LEAST_READINGS = Thoroughness.orLittle(FEWER_READINGS, 50_000);

    static Stream<Arguments> jdksAndPresences() {
        return JdksUnderTest.present(Presence.AGENTPATH, Presence.ATTACHED);
    }

    @WithTheAgent
    void ofAThreadsOwnReadingsComesAfterWhatOthersHaveRead(Jdk jdk, Presence presence) {
        assertNoBreach(jdk, presence, ".ownAfterOthers", "a thread reads no less of itself than others have");
    }

    @WithTheAgent
    void ofOthersReadingsComesAfterWhatTheThreadHasRead(Jdk jdk, Presence presence) {
        assertNoBreach(jdk, presence, ".othersAfterOwn", "others read no less of a thread than it has read of itself");
    }

    @WithTheAgent
    void ofOneObserverComesAfterWhatAnotherHasRead(Jdk jdk, Presence presence) {
        assertNoBreach(jdk, presence, ".othersAfterOthers", "others read no less of a thread than others have");
    }

    @WithTheAgent
    void holdsUserTimeWithinTheCpuTimeReadNext(Jdk jdk, Presence presence) {
        new Comparisons(order(jdk, presence), "cpuAfterUser").assertNoBreach("user time never exceeds CPU time");
    }

    private static void assertNoBreach(Jdk jdk, Presence presence, String direction, String law) {
        for (String name : new String[] {"cpu" + direction, "user" + direction}) {
            Comparisons comparisons = new Comparisons(order(jdk, presence), name);
            assertThat(comparisons.made()).as("comparisons of %s", name).isGreaterThanOrEqualTo(LEAST_READINGS);
            comparisons.assertNoBreach(law);
        }
    }

    private static Facts order(Jdk jdk, Presence presence) {
        String readings = Thoroughness.of(jdk, READINGS, FEWER_READINGS, LEAST_READINGS);
        return presence.of(Program.stock(jdk, OrderProbe.class, readings)).facts();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("jdksAndPresences")
    @interface WithTheAgent {}
}
