// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.CpuAccountIT;
import io.threadclock.it.probe.MeasuredProbe;
import io.threadclock.it.probe.MeasuredStressProbe;
import io.threadclock.it.probe.SchedulerProbe;
import io.threadclock.it.probe.SharedClocksProbe;
import io.threadclock.it.probe.StructuredProbe;
import io.threadclock.it.probe.VirtualSnapshotProbe;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests virtual threads whose CPU time the library measures. */
class MeasuredThreadsIT {
    private static final long UNIT_NS = 5_000_000;
    /** Each of these threads uses 10 ms of CPU time. */
    private static final int WORKING = 200;

    private static final String FIRST_MODE = "-XX:+UseG1GC";
    private static final int COLLECTORS = 5;

    static Stream<Arguments> jdksAndModes() {
        return JdksUnderTest.withVirtualThreads().flatMap(jdk -> Thoroughness.settings(
                        jdk,
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
                        "-XX:+UnlockExperimentalVMOptions -XX:-DoJVMTIVirtualThreadTransitions")
                .filter(mode -> !(jdk.canHangWithoutTransitions() && mode.contains("Transitions")))
                .map(mode -> Arguments.of(jdk, mode)));
    }

    @OnEachJdkWithVirtualThreads
    void areReadByThemselvesHoweverTheyWereMeasured(Jdk jdk) {
        Facts facts = facts(jdk);
        VirtualLaws.assertReadThemselves(facts);
        facts.check("current.answer", true, "measureCurrent()");
        assertThat(facts.text("measure.answer") + facts.text("measure.again"))
                .as("measure()")
                .isEqualTo("truetrue");
    }

    @OnEachJdkWithVirtualThreads
    void areMeasuredFromTheirNextMountOnIfTheyArePinned(Jdk jdk) {
        Facts facts = facts(jdk);
        facts.check("pinned.answer", false, "measureCurrent() in a class initializer");
        facts.check("pinned.canRead", false, "canRead() in the same mount");
        facts.check("pinned.canReadLater", true, "canRead() in the next mount");
    }

    static Stream<Arguments> jdksAndOrders() {
        return JdksUnderTest.withVirtualThreads()
                .flatMap(jdk -> Stream.of("", "first", "gone", "agent").map(order -> Arguments.of(jdk, order)));
    }

    /** Whichever class loader's copy, or the agent, has brought the clocks. */
    @ParameterizedTest
    @MethodSource("jdksAndOrders")
    void areReadByEachCopyOfTheLibrary(Jdk jdk, String order) {
        Program program = Program.stock(jdk, SharedClocksProbe.class, order).nativeAccess();
        Facts facts = (order.equals("agent") ? program.agent("virtual") : program).facts();
        facts.check("otherFirst", order.equals("first"), "the other copy comes first");
        if (order.equals("gone")) {
            facts.check("gone", true, "the class loader of the copy that came first");
        }
        facts.check("measurable", true, "of one copy");
        facts.check("measurableToOther", true, "of another one");
        for (String by : new String[] {"own", "other"}) {
            facts.check(by + ".canRead", true, "in a thread that " + by + " has measured");
            facts.check(by + ".isOneSequence", true, "readings by both copies in that thread");
            facts.check(by + ".isRead", true, "of that thread, by the other copy");
            facts.check(by + ".isSame", true, "of that thread, when it has ended, by both");
        }
        assertThat(facts.text("pools")).as("pools").contains("own-* ").contains("other-* ");
    }

    @OnEachJdkWithVirtualThreads
    void mayBePlatformThreadsOfAnotherFactory(Jdk jdk) {
        Facts facts = facts(jdk);
        facts.check("platformFactory.canRead", true, "ThreadClock.canRead()");
        facts.check("platform.current", false, "measureCurrent() of a platform thread");
    }

    @OnEachJdkWithVirtualThreads
    void areReadByOthersBeforeTheyRunAndWhenTheyHaveEnded(Jdk jdk) {
        Facts facts = facts(jdk);
        assertThat(facts.number("new")).as("ns of one that has not started").isZero();
        assertThat(facts.number("runningNs")).as("ns of one that runs").isPositive();
        facts.check("states", true, "running <= parked <= ended");
        facts.check("ended", true, "of one that has ended: always the same");
    }

    @OnEachJdkWithVirtualThreads
    void areRefusedWithTheWaysInUnlessTheyAreMeasured(Jdk jdk) {
        Facts facts = facts(jdk);
        facts.check("unmeasured.canRead", false, "ThreadClock.canRead()");
        assertThat(facts.text("unmeasured.read")).isEqualTo(UnsupportedOperationException.class.getName());
        assertThat(facts.text("unmeasured.message"))
                .startsWith("Reading the CPU time of a virtual thread")
                .contains("VirtualThreads.factory()", "executor()", "measure()", "measureCurrent()", "canRead()");
        facts.check("unmeasured.isMeasured", false, "isMeasured() of a stopwatch");
        assertThat(facts.number("unmeasured.lap")).as("its lap").isEqualTo(-1);
        assertThat(facts.number("unmeasured.watch")).as("its time").isEqualTo(-1);
        assertThat(facts.number("unmeasured.byOther")).as("to others").isEqualTo(-1);
        assertThat(facts.text("unmeasured.late"))
                .as("measure() of one that has started")
                .isEqualTo(IllegalStateException.class.getName());
    }

    @OnEachJdkWithVirtualThreads
    void areInDumpsAndShowNoFrameOfTheirClock(Jdk jdk) {
        VirtualLaws.assertInDumps(facts(jdk));
    }

    @OnEachJdkWithVirtualThreads
    void allocateNothingWhenTheyReadThemselvesOrAreMounted(Jdk jdk) {
        VirtualLaws.assertNothingAllocated(facts(jdk));
    }

    @OnEachJdkWithVirtualThreads
    void areOneSequenceWhereACarrierIsStoppedBeforeTheEndOfItsMount(Jdk jdk) {
        Facts facts = scheduled(jdk);
        facts.check("stopped.isStopped", true, "the first carrier is still in run()");
        facts.check("stopped.follows", true, "the reading on the second carrier follows");
        assertThat(facts.number("stopped.workNs"))
                .as("ns on the second one, of all")
                .isPositive()
                .isLessThan(facts.number("stopped.allNs"));
        facts.check("stopped.goesOn", true, "the reading after that follows");
    }

    @OnEachJdkWithVirtualThreads
    void areRightOnASchedulerThatRunsThemWhereTheyAreSubmitted(Jdk jdk) {
        Facts facts = scheduled(jdk);
        assertThat(facts.number("inline.yieldNs"))
                .as("ns of a yield after some work, of all")
                .isNotNegative()
                .isLessThan(facts.number("inline.allNs"));
        assertThat(facts.text("inline.submission"))
                .as("a thread that another one submits")
                .isEqualTo("java.lang.WrongThreadException");
        assertThat(facts.text("inline.outer")).as("to the other one").isEqualTo("time");
        assertThat(facts.number("inline.inner"))
                .as("ns of the one that was not run")
                .isLessThanOrEqualTo(0);
    }

    @OnEachJdkWithVirtualThreads
    @Tag("timing")
    void haveTheTimeOfTheirWork(Jdk jdk) {
        VirtualLaws.assertTheirWork(facts(jdk));
        assertThat(facts(jdk).number("runningNs")).as("ns of one that runs").isGreaterThan(UNIT_NS - UNIT_NS / 5);
        Facts scheduled = scheduled(jdk);
        assertThat(scheduled.number("stopped.workNs"))
                .as("ns of 10 ms on the second carrier")
                .isGreaterThan(2 * UNIT_NS - UNIT_NS / 5);
        assertThat(scheduled.number("stopped.allNs"))
                .as("ns of 10 ms on each")
                .isGreaterThan(4 * UNIT_NS - 2 * UNIT_NS / 5);
        assertThat(scheduled.number("inline.yieldNs"))
                .as("ns of a yield, after 10 ms of work")
                .isLessThanOrEqualTo(2 * UNIT_NS);
        assertThat(scheduled.number("inline.allNs")).as("ns of the work").isGreaterThan(2 * UNIT_NS - UNIT_NS / 5);
        assertThat(snapshots(jdk).number("leastNs"))
                .as("ns of 5 ms of work between two snapshots")
                .isGreaterThan(UNIT_NS - UNIT_NS / 5);
        assertThat(onThreadsOfTheKernel(jdk).number("factory.watchNs")).isGreaterThan(3 * UNIT_NS - UNIT_NS / 5);
    }

    @Tag("long")
    @ParameterizedTest(name = "{0} {1}", allowZeroInvocations = true)
    @MethodSource("jdksAndModes")
    void areOneSequenceUnderStress(Jdk jdk, String mode) {
        String[] options = mode.split(" ");
        int most = mode.equals(FIRST_MODE) || Thoroughness.THOROUGH ? 100_000 : 20_000;
        Program stress =
                stress(jdk, Thoroughness.orLittle(most, 2_000), "factory").jvmOption(options);
        if (stress.outcome().exitStatus() != 0) {
            JvmMode.assumeThat(jdk, options);
        }
        assertOneSequence(stress.facts());
    }

    @OnEachJdkWithVirtualThreads
    @Tag("timing")
    void areOneSequenceUnderStressIfTheyMeasureThemselves(Jdk jdk) {
        assertOneSequence(stress(jdk, 50_000, "current").facts());
    }

    @OnEachJdkWithVirtualThreads
    @Tag("timing")
    void areOneSequenceWhileADebuggerSuspendsAndResumesThem(Jdk jdk) throws Exception {
        VirtualLaws.assertOneSequenceWhileDebugged(stress(jdk, 3_000, "factory"));
    }

    @OnEachJdkWithVirtualThreads
    @Tag("timing")
    void haveAllTimeOfTheirCarriersIfTheyWork(Jdk jdk) {
        VirtualLaws.assertNothingLost(stress(jdk, WORKING, "factory", "1").facts());
    }

    private static void assertOneSequence(Facts facts) {
        assertThat(facts.text("measurable")).isEqualTo("true");
        VirtualLaws.assertOneSequence(facts);
    }

    @OnEachJdkWithVirtualThreads
    void inheritScopedValuesReadThemselvesAndHaveAnAccountAsTasksOfAScope(Jdk jdk) {
        Facts facts = Program.stock(jdk, StructuredProbe.class)
                .nativeAccess()
                .jvmOption("--enable-preview")
                .facts();
        assertThat(facts.text("first") + ", " + facts.text("second")).isEqualTo("alice has worked, alice has worked");
        assertThat(facts.number("parts")).as("parts of the account").isEqualTo(2);
        assertThat(facts.number("unmeasured")).as("parts that are not known").isZero();
        assertThat(facts.number("cpuNs")).as("ns of two tasks of 5 ms each").isGreaterThanOrEqualTo(2 * UNIT_NS);
    }

    @OnEachJdkWithVirtualThreads
    void areInASnapshotThatAsksForThem(Jdk jdk) {
        Facts facts = snapshots(jdk);
        assertThat(facts.text("names"))
                .as("measured threads, parked, by factory and by executor")
                .isEqualTo("made-0 made-1 made-2 made-3 submitted-0 submitted-1 submitted-2 submitted-3");
        assertThat(facts.number("tids")).as("sum of their tids").isZero();
        facts.check("isSorted", true, "most CPU time first");
        facts.check("isFoundById", true, "each by its id");
        assertThat(facts.number("leastNs"))
                .as("ns of work between two snapshots")
                .isPositive();
        facts.check("isInTheCarriers", true, "sum of the virtual threads <= sum of the platform threads");
        assertThat(facts.text("someNames"))
                .as("the four that have used the most CPU time")
                .isEqualTo("submitted-0 submitted-1 submitted-2 submitted-3");
        facts.check("ended", true, "ended ones are gone");
    }

    @OnEachJdkWithVirtualThreads
    void areReadLikePlatformThreadsWhereTheyHaveAThreadOfTheKernelEach(Jdk jdk) {
        Facts facts = onThreadsOfTheKernel(jdk);
        assertThat(facts.text("measurable")).isEqualTo("false");
        assertThat(facts.text("explanation")).contains("have no carriers");
        assertThat(facts.text("unmeasured.canRead")).isEqualTo("true");
        assertThat(facts.text("unmeasured.read")).isEqualTo("time");
        assertThat(facts.number("factory.watchNs")).isPositive();
    }

    private static Facts onThreadsOfTheKernel(Jdk jdk) {
        return measured(jdk)
                .jvmOption("-XX:+UnlockExperimentalVMOptions", "-XX:-VMContinuations")
                .facts();
    }

    private static Facts snapshots(Jdk jdk) {
        return Program.stock(jdk, VirtualSnapshotProbe.class)
                .nativeAccess()
                .onOneCarrier()
                .facts();
    }

    @Tag("long")
    @OnEachJdkWithVirtualThreads
    void theJvmsCheckOfJniComplainsOfNothing(Jdk jdk) {
        VirtualLaws.assertCheckOfJniComplainsOfNothing(measured(jdk));
    }

    /** It reads parts of other threads before anybody has taken a snapshot. */
    @Tag("long")
    @OnOldestAndNewestJdk
    void theJvmsCheckOfJniComplainsOfNoPartOfAPlatformThread(Jdk jdk) {
        VirtualLaws.assertCheckOfJniComplainsOfNothing(
                Program.stock(jdk, CpuAccountIT.class).nativeAccess().jvmOption(Thoroughness.amountFor(jdk)));
    }

    @OnEachJdk
    void areUnknownToOlderJdks(Jdk jdk) {
        assumeTrue(!JdksUnderTest.hasVirtualThreads(jdk), jdk + " has virtual threads");
        Facts facts =
                Program.stock(jdk, MeasuredProbe.class, VirtualLaws.READINGS).facts();
        assertThat(facts.text("measurable")).isEqualTo("false");
        assertThat(facts.text("factory")).isEqualTo(UnsupportedOperationException.class.getName());
        facts.check("platform", false, "measure() of a platform thread");
        assertThat(Program.stock(jdk, VirtualSnapshotProbe.class).facts().text("none"))
                .as("a snapshot's virtual threads")
                .isEqualTo("[]");
    }

    private static Facts facts(Jdk jdk) {
        Facts facts = measured(jdk).facts();
        assertThat(facts.text("explanation")).isEqualTo("virtual threads can be measured");
        return facts;
    }

    private static Program measured(Jdk jdk) {
        return Program.stock(jdk, MeasuredProbe.class, VirtualLaws.READINGS)
                .nativeAccess()
                .onOneCarrier();
    }

    private static Facts scheduled(Jdk jdk) {
        return Program.stock(jdk, SchedulerProbe.class)
                .nativeAccess()
                .jvmOption("--add-opens=java.base/java.lang=ALL-UNNAMED")
                .facts();
    }

    private static Program stress(Jdk jdk, int threads, String... rest) {
        String[] arguments = Stream.concat(Stream.of(Integer.toString(threads)), Stream.of(rest))
                .toArray(String[]::new);
        return Program.stock(jdk, MeasuredStressProbe.class, arguments)
                .nativeAccess()
                .jvmOption("-Djdk.virtualThreadScheduler.parallelism=4");
    }
}
