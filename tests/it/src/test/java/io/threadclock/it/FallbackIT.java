// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.FallbackLaws;

/**
 * A program that reads its threads where threadclock is not supported reads the JDK's own clock, and is told so once.
 */
class FallbackIT {
    private static final String OTHER_PROCESSOR = "-Dos.arch=s390x";

    @OnEachJdk
    void readsTheJdksClockOnAnotherProcessor(Jdk jdk) {
        assertStandsIn(
                jdk,
                OTHER_PROCESSOR,
                "Linux on s390x",
                "changesNothingElse",
                "measuresPartsOfAccountsAndKnowsNoWaits",
                "refusesWhereThreadCpuTimeIsSwitchedOff");
    }

    @OnEachJdk
    void readsTheJdksClockOnAnotherSystem(Jdk jdk) {
        assertStandsIn(jdk, "-Dthreadclock.it.system=Mac OS X", "of Mac OS X on");
    }

    @OnEachJdk
    void readsTheJdksClockWithoutTheNativeLibrary(Jdk jdk) {
        assertStandsIn(jdk, "-Dthreadclock.library=/nowhere/lib.so", "/nowhere/lib.so");
    }

    private static void assertStandsIn(Jdk jdk, String option, String reason, String... more) {
        Program program = program(jdk, "standsIn", "addsUp")
                .arguments(more)
                .jvmOption(option, "-Dthreadclock.it.reason=" + reason);
        assertThat(program.passes().outcome().otherLines().stream()
                        .filter(line -> line.contains("ThreadMXBean instead")))
                .as("lines of the log that tell it")
                .singleElement()
                .asString()
                .contains(reason);
    }

    @OnEachJdk
    void saysNothingWhereTheClockIsSupported(Jdk jdk) {
        Outcome outcome = program(jdk, "isNotNeeded", "addsUp").passes().outcome();
        assertThat(outcome.otherLines()).as("lines of the log").noneMatch(line -> line.contains("ThreadMXBean"));
    }

    private static Program program(Jdk jdk, String... laws) {
        return Program.law(jdk, FallbackLaws.class, laws);
    }
}
