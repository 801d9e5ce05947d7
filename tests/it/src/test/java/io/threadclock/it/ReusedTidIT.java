// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.ReusedTidLaws;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The kernel gives the tid of a thread that has ended to another thread. */
@Tag("timing")
class ReusedTidIT {
    /** In a pid namespace of its own, a program does not disturb other programs' tids. */
    private static final List<String> NAMESPACE = List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc");

    static Stream<Arguments> jdksAndPresences() {
        return JdksUnderTest.present(Presence.AGENTPATH, Presence.ATTACHED);
    }

    @BeforeAll
    static void assumeThatNamespacesAreAllowed() throws IOException, InterruptedException {
        String trial = String.join(" ", NAMESPACE) + " true 2>/dev/null";
        int status = new ProcessBuilder("sh", "-c", trial).start().waitFor();
        assumeTrue(status == 0, "this user may not make pid namespaces by unshare(1)");
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("jdksAndPresences")
    void givesNeitherThreadTheOthersFigure(Jdk jdk, Presence presence) {
        presence.of(Program.law(jdk, ReusedTidLaws.class, "givesNeitherThreadTheOthersFigure")
                        .startedBy(NAMESPACE))
                .passes();
    }
}
