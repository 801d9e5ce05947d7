// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.CpuAccountIT;
import io.threadclock.it.probe.MeasuredThreadsIT;
import io.threadclock.it.probe.VirtualStress;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Virtual threads that the library or the agent measures are one sequence, whatever the JVM does meanwhile. */
class VirtualStressIT {
    private static final String VIRTUAL = "virtual";
    private static final String BY_FACTORY = "areOneSequence";
    private static final String BY_THEMSELVES = "areOneSequenceIfTheyMeasureThemselves";
    private static final String FIRST_MODE = "-XX:+UseG1GC";
    private static final int COLLECTORS = 5;

    static Stream<Arguments> jdksAndModes() {
        return withModes(
                Thoroughness.orLittle(COLLECTORS + 2, 1),
                FIRST_MODE,
                "-XX:+UseZGC",
                "-XX:+UseSerialGC",
                "-XX:+UseParallelGC",
                "-XX:+UseShenandoahGC",
                Program.LIBRARY.jvmOption(""),
                "-Dthreadclock.it.boost=churning",
                "-Xcomp -XX:TieredStopAtLevel=1",
                "-XX:StartFlightRecording:filename=/dev/null",
                "-XX:+UnlockExperimentalVMOptions -XX:-DoJVMTIVirtualThreadTransitions");
    }

    static Stream<Arguments> jdksAndModesOfTheAgent() {
        return withModes(
                Thoroughness.orLittle(2, 1),
                "-XX:+UnlockDiagnosticVMOptions -XX:+BytecodeVerificationLocal",
                "-XX:+UseZGC",
                "-XX:+UseSerialGC",
                "-Xint",
                "-Xcomp -XX:TieredStopAtLevel=1",
                "-Xshare:off",
                "-XX:StartFlightRecording:filename=/dev/null",
                "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y",
                "-XX:+UnlockExperimentalVMOptions -XX:-DoJVMTIVirtualThreadTransitions");
    }

    private static Stream<Arguments> withModes(int part, String... modes) {
        return JdksUnderTest.withVirtualThreads().flatMap(jdk -> Thoroughness.settings(jdk, part, modes)
                .filter(mode -> !(jdk.canHangWithoutTransitions() && mode.contains("Transitions")))
                .map(mode -> Arguments.of(jdk, mode)));
    }

    @Tag("long")
    @ParameterizedTest(name = "{0} {1}", allowZeroInvocations = true)
    @MethodSource("jdksAndModes")
    void isOneSequence(Jdk jdk, String mode) {
        int most = mode.equals(FIRST_MODE) || Thoroughness.THOROUGH ? 100_000 : 20_000;
        JvmMode.assertPasses(stress(jdk, Thoroughness.orLittle(most, 2_000), BY_FACTORY), mode);
    }

    /** The threads are made without the library, and find themselves measured. */
    @Tag("long")
    @ParameterizedTest(name = "{0} {1}", allowZeroInvocations = true)
    @MethodSource("jdksAndModesOfTheAgent")
    void isOneSequenceByTheAgent(Jdk jdk, String mode) {
        JvmMode.assertPasses(ofTheAgent(jdk), mode);
    }

    /** The program's own factory measures those that the agent does not measure while it is detached. */
    @OnEachJdkWithVirtualThreads
    @Tag("timing")
    void isOneSequenceWhileTheAgentComesAndGoes(Jdk jdk) {
        stress(jdk, threadsOfTheAgent(jdk), BY_FACTORY)
                .present(Presence.VIRTUAL_TOGGLED)
                .passes();
    }

    @OnEachJdkWithVirtualThreads
    @Tag("timing")
    void isOneSequenceIfTheyMeasureThemselves(Jdk jdk) {
        stress(jdk, 50_000, BY_THEMSELVES).passes();
    }

    @OnEachJdkWithVirtualThreads
    @Tag("timing")
    void isOneSequenceWhileADebuggerSuspendsAndResumesThem(Jdk jdk) throws Exception {
        assertPassesWhileDebugged(stress(jdk, 3_000, BY_FACTORY));
        assertPassesWhileDebugged(stress(jdk, 1_000, BY_THEMSELVES).agent(VIRTUAL));
    }

    /** The debugger suspends each thread when it starts, and all of them now and then. */
    private static void assertPassesWhileDebugged(Program stress) throws Exception {
        try (Debugger debugger = new Debugger()) {
            stress.jvmOption(debugger.jvmOption()).passes();
            assertThat(debugger.suspensions())
                    .as("suspensions of virtual threads")
                    .isPositive();
        }
    }

    @OnEachJdkWithVirtualThreads
    @Tag("timing")
    void hasAllTimeOfTheCarriersIfTheyWork(Jdk jdk) {
        stress(jdk, 200, "haveAllTimeOfTheirCarriersIfTheyWork").passes();
    }

    @Tag("long")
    @OnEachJdkWithVirtualThreads
    void theJvmsCheckOfJniComplainsOfNothing(Jdk jdk) {
        Program measured = Program.law(
                        jdk,
                        MeasuredThreadsIT.class,
                        "areReadByThemselvesHoweverTheyWereMeasured",
                        "areReadByOthersBeforeTheyRunAndWhenTheyHaveEnded",
                        "areInDumpsAndShowNoFrameOfTheirClock",
                        "allocateNothingWhenTheyReadThemselvesOrAreMounted")
                .onOneCarrier();
        assertCheckOfJniComplainsOfNothing(measured);
        assertCheckOfJniComplainsOfNothing(measured.agent(VIRTUAL));
    }

    /** It reads parts of other threads before anybody has taken a snapshot. */
    @Tag("long")
    @OnOldestAndNewestJdk
    void theJvmsCheckOfJniComplainsOfNoPartOfAPlatformThread(Jdk jdk) {
        assertCheckOfJniComplainsOfNothing(
                Program.law(jdk, CpuAccountIT.class, "areOneSequenceWhilePlatformThreadsUseThem"));
    }

    /** JDK 8's launcher makes a call that the check complains of for each of the program's arguments. */
    private static void assertCheckOfJniComplainsOfNothing(Program measured) {
        Outcome checked = measured.jvmOption("-Xcheck:jni").passes().outcome();
        assertThat(checked.text().lines().filter(line -> line.contains("WARNING")))
                .as("warnings")
                .hasSize(measured.jdk().feature() == 8 ? measured.arguments().size() : 0);
    }

    /** Of threads that the agent measures. */
    static Program ofTheAgent(Jdk jdk) {
        return stress(jdk, threadsOfTheAgent(jdk), BY_THEMSELVES).agent(VIRTUAL);
    }

    private static int threadsOfTheAgent(Jdk jdk) {
        return Integer.parseInt(Thoroughness.of(jdk, 20_000, 10_000, 2_000));
    }

    private static Program stress(Jdk jdk, int threads, String test) {
        return Program.law(jdk, VirtualStress.class, test)
                .jvmOption("-Dthreadclock.it.threads=" + threads)
                .jvmOption("-Djdk.virtualThreadScheduler.parallelism=4");
    }
}
