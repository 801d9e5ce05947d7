// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.EndProbe;
import io.threadclock.it.probe.ProcessLaws;
import io.threadclock.it.probe.SnapshotIT;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Processes are started, and the program ends, while threads read their times. */
class ProgramLifeIT {
    private static final String LAUNCH = "-Djdk.lang.Process.launchMechanism=";
    /** On Linux; it works in an update of 11, and 8 refuses it. */
    private static final int FIRST_WITH_POSIX_SPAWN = 11;

    static Stream<Arguments> ends() {
        return JdksUnderTest.withEach("return", "throw", "exit", "halt");
    }

    static Stream<Arguments> launches() {
        return JdksUnderTest.withEach(
                jdk -> Stream.of("POSIX_SPAWN", "VFORK", "FORK").skip(jdk.feature() < FIRST_WITH_POSIX_SPAWN ? 1 : 0));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("ends")
    void endsWithTheStatusItHasWithoutTheAgentAndPrintsItsStatistics(Jdk jdk, String end) {
        Outcome with = Program.stock(jdk, EndProbe.class, end).agent("stats").outcome();
        Outcome without = Program.stock(jdk, EndProbe.class, end).outcome();
        assertThat(with.exitStatus()).as("exit status%n%s", with.text()).isEqualTo(without.exitStatus());
        assertThat(with.stdout()).as("standard output").isEqualTo("ending=" + end + "\n");
        assertThat(with.agentLines())
                .as("lines of the agent")
                .anyMatch(line -> line.startsWith("threadclock: resyncs first "));
    }

    @OnEachJdk
    void isInASnapshotOnceWhenMainHasReturned(Jdk jdk) {
        Program.stock(jdk, SnapshotIT.class).nativeAccess().passes();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("launches")
    void startsProcessesAndReadsOn(Jdk jdk, String launch) {
        starting(jdk, launch).agent("").passes();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("launches")
    void startsProcessesAndReadsOnBesideAMappedPerfPage(Jdk jdk, String launch) {
        starting(jdk, launch).agent("source=perf").passes();
    }

    private static Program starting(Jdk jdk, String launch) {
        return Program.law(jdk, ProcessLaws.class, "readOnBesideProcessesThatTheyStart")
                .jvmOption(LAUNCH + launch);
    }
}
