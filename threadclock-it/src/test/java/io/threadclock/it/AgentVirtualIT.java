// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.LateClocksProbe;
import io.threadclock.it.probe.MeasuredProbe;
import io.threadclock.it.probe.MeasuredStressProbe;
import io.threadclock.it.probe.PlainProbe;
import io.threadclock.it.probe.RetransformProbe;
import io.threadclock.it.probe.UnrunnableProbe;
import io.threadclock.it.probe.VirtualThreadProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests virtual threads that the agent measures, in programs that do nothing for it. */
class AgentVirtualIT {
    @TempDir
    static Path directory;

    private static final Path OPEN_TELEMETRY = Path.of("target/agents/opentelemetry-javaagent.jar");
    private static final Path BYTE_BUDDY = Path.of("target/agents/byte-buddy-agent.jar");
    private static final int FIRST_WITH_CACHE = 25;
    private static final long UNIT_NS = 5_000_000;
    private static final String VIRTUAL = "virtual";

    static Stream<Arguments> jdksAndModes() {
        return JdksUnderTest.withVirtualThreads().flatMap(jdk -> Thoroughness.settings(
                        jdk,
                        Thoroughness.orLittle(2, 1),
                        "-XX:+UnlockDiagnosticVMOptions -XX:+BytecodeVerificationLocal",
                        "-XX:+UseZGC",
                        "-XX:+UseSerialGC",
                        "-Xint",
                        "-Xcomp -XX:TieredStopAtLevel=1",
                        "-Xshare:off",
                        "-XX:StartFlightRecording:filename=/dev/null",
                        "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y",
                        "-XX:+UnlockExperimentalVMOptions -XX:-DoJVMTIVirtualThreadTransitions")
                .filter(mode -> !(jdk.canHangWithoutTransitions() && mode.contains("Transitions")))
                .map(mode -> Arguments.of(jdk, mode)));
    }

    @OnEachJdkWithVirtualThreads
    void readThemselvesByTheLibraryThoughNobodyHasMeasuredThem(Jdk jdk) {
        Facts facts = measured(jdk);
        facts.check("unmeasured.canRead", true, "ThreadClock.canRead()");
        assertThat(facts.text("unmeasured.read")).isEqualTo("time");
        assertThat(facts.number("unmeasured.byOther"))
                .as("ns of one that has ended")
                .isPositive();
        VirtualLaws.assertReadThemselves(facts);
        facts.check("pinned.canRead", true, "canRead() of one that is pinned");
    }

    @OnEachJdkWithVirtualThreads
    void areOtherwiseAsTheyWere(Jdk jdk) {
        VirtualLaws.assertInDumps(measured(jdk));
        assertThat(Program.stock(jdk, VirtualThreadProbe.class)
                        .agent(VIRTUAL)
                        .facts()
                        .byName())
                .as("answers of ThreadMXBean to a virtual thread")
                .isEqualTo(Program.stock(jdk, VirtualThreadProbe.class).facts().byName());
    }

    @OnEachJdkWithVirtualThreads
    void allocateNothingWhenTheyReadThemselvesOrAreMounted(Jdk jdk) {
        VirtualLaws.assertNothingAllocated(measured(jdk));
    }

    /** The threads are made without the library, and find themselves measured. */
    @Tag("long")
    @ParameterizedTest(name = "{0} {1}", allowZeroInvocations = true)
    @MethodSource("jdksAndModes")
    void areOneSequenceUnderStress(Jdk jdk, String mode) {
        String[] options = mode.split(" ");
        Program stress = stress(jdk, "current").agent(VIRTUAL).jvmOption(options);
        if (stress.outcome().exitStatus() != 0) {
            JvmMode.assumeThat(jdk, options);
        }
        VirtualLaws.assertOneSequence(stress.facts());
    }

    /** The program's own factory measures those that the agent does not measure while it is detached. */
    @OnEachJdkWithVirtualThreads
    @Tag("timing")
    void areOneSequenceWhileTheAgentComesAndGoes(Jdk jdk) {
        VirtualLaws.assertOneSequence(
                stress(jdk, "factory").present(Presence.VIRTUAL_TOGGLED).facts());
    }

    @OnEachJdkWithVirtualThreads
    void areThoseThatAreMadeFromTheAttachToTheDetach(Jdk jdk) {
        Facts facts = lateClocks(jdk);
        assertThat(facts.number("first.ns")).as("ns of one made before").isEqualTo(-1);
        assertThat(facts.number("second.ns")).as("ns of one made meanwhile").isPositive();
        assertThat(facts.text("second.read"))
                .as("what it read after the detach")
                .isEqualTo("time");
        assertThat(facts.number("third.ns")).as("ns of one made afterwards").isEqualTo(-1);
        facts.check("third.canRead", false, "canRead() of one made afterwards");
    }

    /** The other agent's hook comes first, and the retransformations are its own. */
    @OnEachJdkWithVirtualThreads
    void areMeasuredBehindAnAgentThatRetransformsTheirClass(Jdk jdk) throws IOException {
        Facts facts = withOtherAgent(jdk).present(Presence.VIRTUAL_DETACHED).facts();
        facts.check("before.canRead", false, "canRead() before the attach");
        facts.check("during.canRead", true, "canRead() of one made after the other agent's retransformation");
        facts.check("during.isShownTheChange", false, "the agent that comes first is shown the change");
        facts.check("after.canRead", false, "canRead() after the detach");
        assertThat(facts.text("after.hash")).as("the class file").isEqualTo(facts.text("before.hash"));
    }

    @Tag("long")
    @OnEachJdkWithVirtualThreads
    void areMeasuredInFrontOfAnAgentThatRetransformsTheirClass(Jdk jdk) throws IOException {
        Facts stock = withOtherAgent(jdk).facts();
        Facts facts = Program.stock(jdk, RetransformProbe.class, otherAgent().toString())
                .nativeAccess()
                .present(Presence.VIRTUAL_DETACHED)
                .facts();
        facts.check("during.isShownTheChange", true, "the agent that comes second is shown the change");
        facts.check("during.canRead", true, "canRead() of one made after the other agent's retransformation");
        facts.check("after.canRead", false, "canRead() after the detach");
        assertThat(facts.text("after.hash"))
                .as("the class file after the detach, against that of a JVM without the agent")
                .isEqualTo(stock.text("before.hash"));
    }

    /** Its agent transforms the JDK's executors and threads by Byte Buddy. */
    @OnEachJdkWithVirtualThreads
    @Tag("server")
    void areMeasuredBesideTheAgentOfOpenTelemetry(Jdk jdk) {
        VirtualLaws.assertReadThemselves(withOpenTelemetry(
                        program(jdk, MeasuredProbe.class, VirtualLaws.READINGS).agent(VIRTUAL))
                .facts());
        VirtualLaws.assertOneSequence(
                withOpenTelemetry(stress(jdk, "current").agent(VIRTUAL)).facts());
    }

    @Tag("long")
    @OnEachJdkWithVirtualThreads
    void areMeasuredBesideTheAgentOfByteBuddy(Jdk jdk) {
        Facts facts = Program.stock(jdk, RetransformProbe.class, "byte-buddy")
                .nativeAccess()
                .jvmOption("-javaagent:" + BYTE_BUDDY)
                .present(Presence.VIRTUAL_DETACHED)
                .facts();
        facts.check("before.canRead", false, "canRead() before the attach");
        facts.check("during.canRead", true, "canRead() of one made after Byte Buddy's retransformation");
        facts.check("after.canRead", false, "canRead() after the detach");
        assertThat(facts.text("after.hash")).as("the class file").isEqualTo(facts.text("before.hash"));
    }

    @OnEachJdkWithVirtualThreads
    @Tag("timing")
    void areOneSequenceWhileADebuggerSuspendsAndResumesThem(Jdk jdk) throws Exception {
        VirtualLaws.assertOneSequenceWhileDebugged(stress(jdk, 1_000, "current").agent(VIRTUAL));
    }

    @Tag("long")
    @OnEachJdkWithVirtualThreads
    void theJvmsCheckOfJniComplainsOfNothing(Jdk jdk) {
        VirtualLaws.assertCheckOfJniComplainsOfNothing(
                program(jdk, MeasuredProbe.class, VirtualLaws.READINGS).agent(VIRTUAL));
    }

    @OnEachJdkWithVirtualThreads
    void areReadLikePlatformThreadsWhereTheyHaveAThreadOfTheKernelEach(Jdk jdk) {
        Facts facts = onThreadsOfTheKernel(jdk);
        assertThat(facts.text("measurable")).isEqualTo("false");
        assertThat(facts.text("unmeasured.read")).isEqualTo("time");
        assertThat(facts.number("factory.watchNs")).isPositive();
    }

    @OnEachJdkWithVirtualThreads
    @Tag("timing")
    void haveTheTimeOfTheirWork(Jdk jdk) {
        VirtualLaws.assertTheirWork(measured(jdk));
        assertThat(lateClocks(jdk).number("second.ns"))
                .as("ns of 10 ms of work of one made meanwhile, of which half was done after the detach")
                .isGreaterThan(2 * UNIT_NS - UNIT_NS / 5);
        assertThat(onThreadsOfTheKernel(jdk).number("factory.watchNs")).isGreaterThan(3 * UNIT_NS - UNIT_NS / 5);
    }

    private static Facts lateClocks(Jdk jdk) {
        return program(jdk, LateClocksProbe.class)
                .present(Presence.VIRTUAL_DETACHED)
                .facts();
    }

    private static Facts onThreadsOfTheKernel(Jdk jdk) {
        return program(jdk, MeasuredProbe.class, VirtualLaws.READINGS)
                .agent(VIRTUAL)
                .jvmOption("-XX:+UnlockExperimentalVMOptions", "-XX:-VMContinuations")
                .facts();
    }

    private static Program withOpenTelemetry(Program program) {
        return program.jvmOption(
                "-javaagent:" + OPEN_TELEMETRY,
                "-Dotel.javaagent.logging=none",
                "-Dotel.traces.exporter=none",
                "-Dotel.metrics.exporter=none",
                "-Dotel.logs.exporter=none");
    }

    private static Program withOtherAgent(Jdk jdk) throws IOException {
        return Program.stock(jdk, RetransformProbe.class).nativeAccess().jvmOption("-javaagent:" + otherAgent());
    }

    private static Path otherAgent() throws IOException {
        Path jar = directory.resolve("other.jar");
        if (Files.notExists(jar)) {
            Manifest manifest = new Manifest();
            manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
            manifest.getMainAttributes().putValue("Premain-Class", RetransformProbe.class.getName());
            manifest.getMainAttributes().putValue("Agent-Class", RetransformProbe.class.getName());
            manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
            new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        }
        return jar;
    }

    @OnEachJdkWithVirtualThreads
    void changeNothingThatAProgramPrints(Jdk jdk) {
        Outcome with = Program.stock(jdk, PlainProbe.class).agent(VIRTUAL).outcome();
        assertThat(with.exitStatus()).as("exit status").isEqualTo(PlainProbe.STATUS);
        assertThat(with.agentLines()).as("lines of the agent").isEmpty();
        assertThat(with.otherLines()).as("other lines on standard error").isEmpty();
    }

    @OnEachJdkWithVirtualThreads
    void haveTheirPriceInTheStatistics(Jdk jdk) {
        Outcome asked =
                Program.stock(jdk, PlainProbe.class).agent(VIRTUAL + ",stats").outcome();
        assertThat(asked.agentLines())
                .as("lines of the agent")
                .anyMatch(line ->
                        line.startsWith("threadclock: JVMTI has been used for virtual threads, and makes each"));
        Outcome stock = Program.stock(jdk, PlainProbe.class).agent("stats").outcome();
        assertThat(stock.agentLines()).noneMatch(line -> line.contains("virtual threads"));
    }

    /**
     * With the changed class, JDK 25 crashed while it wrote the cache, and later ones refused to write it. (The JDK writes
     * none here in any case, because the probe's class path is a folder.)
     */
    @Tag("long")
    @OnEachJdkWithVirtualThreads
    void areRefusedByAJvmThatWritesAnArchive(Jdk jdk) {
        assumeTrue(jdk.feature() >= FIRST_WITH_CACHE, "-XX:AOTCacheOutput (JDK 25)");
        Path cache = directory.resolve("cache" + jdk.feature());
        Outcome writes = Program.stock(jdk, VirtualThreadProbe.class)
                .agent(VIRTUAL)
                .jvmOption("-XX:AOTCacheOutput=" + cache)
                .outcome();
        assertThat(writes.agentLines())
                .singleElement()
                .asString()
                .contains("virtual threads cannot be measured: this JVM is to write an archive");
    }

    /** Classes that call theirs are linked there to the methods that it had when the archive was written. */
    @Tag("long")
    @OnEachJdkWithVirtualThreads
    void areMeasuredInAJvmThatTakesTheirClassFromAnArchive(Jdk jdk) throws IOException {
        Path jar = directory.resolve("empty.jar");
        new JarOutputStream(Files.newOutputStream(jar), new Manifest()).close();
        String classes = directory.resolve("classes" + jdk.feature()).toString();
        String archive = "-XX:SharedArchiveFile=" + directory.resolve("archive" + jdk.feature());
        Program any = Program.stock(jdk, VirtualThreadProbe.class);
        any.jvmOption("-XX:DumpLoadedClassList=" + classes).facts();
        any.jvmOption("-Xshare:dump", "-XX:SharedClassListFile=" + classes, archive)
                .classPath(jar)
                .outcome();
        Path[] classPath = Stream.of(jar + ":" + System.getProperty("java.class.path"))
                .flatMap(path -> Stream.of(path.split(":")))
                .map(Path::of)
                .toArray(Path[]::new);
        Facts facts = program(jdk, MeasuredProbe.class, VirtualLaws.READINGS)
                .jvmOption("-Xshare:on", archive)
                .agent(VIRTUAL)
                .classPath(classPath)
                .facts();
        facts.check("unmeasured.canRead", true, "ThreadClock.canRead()");
        VirtualLaws.assertReadThemselves(facts);
    }

    @OnEachJdkWithVirtualThreads
    void areGivenUpIfTheFirstOneCannotBeRun(Jdk jdk) {
        Outcome first = program(jdk, UnrunnableProbe.class).agent(VIRTUAL).outcome();
        assertThat(first.agentLines())
                .singleElement()
                .asString()
                .contains("virtual threads cannot be measured: the JVM could not run the first one");
        first.facts(0).check("next.canRead", false, "canRead() of the next one");
        Outcome later =
                program(jdk, UnrunnableProbe.class, "later").agent(VIRTUAL).outcome();
        assertThat(later.agentLines()).as("once one has run").isEmpty();
        later.facts(0).check("next.canRead", true, "canRead() of the next one");
    }

    @OnEachJdk
    void areRefusedInOneLineByAJvmThatHasNone(Jdk jdk) {
        assumeTrue(!JdksUnderTest.hasVirtualThreads(jdk), jdk + " has virtual threads");
        Outcome refused = Program.stock(jdk, PlainProbe.class).agent(VIRTUAL).outcome();
        assertThat(refused.agentLines())
                .containsExactly("threadclock: virtual threads cannot be measured: this JVM has none; they came with"
                        + " Java 21. The agent serves ThreadMXBean alone.");
        assertThat(refused.facts(PlainProbe.STATUS).text("userTimeMovesInTicks"))
                .as("user time moves in ticks")
                .isEqualTo("false");
    }

    private static Facts measured(Jdk jdk) {
        return program(jdk, MeasuredProbe.class, VirtualLaws.READINGS)
                .agent(VIRTUAL)
                .facts();
    }

    private static Program program(Jdk jdk, Class<?> probe, String... arguments) {
        return Program.stock(jdk, probe, arguments).nativeAccess().onOneCarrier();
    }

    private static Program stress(Jdk jdk, String way) {
        return stress(jdk, Integer.parseInt(Thoroughness.of(jdk, 20_000, 10_000, 2_000)), way);
    }

    private static Program stress(Jdk jdk, int threads, String way) {
        return Program.stock(jdk, MeasuredStressProbe.class, Integer.toString(threads), way)
                .nativeAccess()
                .jvmOption("-Djdk.virtualThreadScheduler.parallelism=4");
    }
}
