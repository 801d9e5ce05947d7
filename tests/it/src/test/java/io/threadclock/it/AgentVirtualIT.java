// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.BehaviourProbe;
import io.threadclock.it.probe.InChild;
import io.threadclock.it.probe.MeasuredThreadsIT;
import io.threadclock.it.probe.PlainProbe;
import io.threadclock.it.probe.RetransformProbe;
import io.threadclock.it.probe.UnrunnableProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Tests virtual threads that the agent measures, in programs that do nothing for it. */
class AgentVirtualIT {
    @TempDir
    static Path directory;

    private static final Path OPEN_TELEMETRY = Path.of("target/agents/opentelemetry-javaagent.jar");
    private static final Path BYTE_BUDDY = Path.of("target/agents/byte-buddy-agent.jar");
    private static final int FIRST_WITH_CACHE = 25;
    private static final String VIRTUAL = "virtual";
    private static final String READ_THEMSELVES = "areReadByThemselvesHoweverTheyWereMeasured";

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
        withOpenTelemetry(measured(jdk, READ_THEMSELVES)).passes();
        withOpenTelemetry(VirtualStressIT.ofTheAgent(jdk)).passes();
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
     * With the changed class, JDK 25 crashed while it wrote the cache, and later ones refused to write it. (The JDK
     * writes none here in any case, because the probe's class path is a folder.)
     */
    @Tag("long")
    @OnEachJdkWithVirtualThreads
    void areRefusedByAJvmThatWritesAnArchive(Jdk jdk) {
        assumeTrue(jdk.feature() >= FIRST_WITH_CACHE, "-XX:AOTCacheOutput (JDK 25)");
        Path cache = directory.resolve("cache" + jdk.feature());
        Outcome writes = Program.stock(jdk, PlainProbe.class)
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
        Program any = Program.stock(jdk, BehaviourProbe.class);
        any.jvmOption("-XX:DumpLoadedClassList=" + classes).facts();
        any.jvmOption("-Xshare:dump", "-XX:SharedClassListFile=" + classes, archive)
                .classPath(jar)
                .outcome();
        Path[] classPath = Stream.of(jar + ":" + System.getProperty("java.class.path"))
                .flatMap(path -> Stream.of(path.split(":")))
                .map(Path::of)
                .toArray(Path[]::new);
        measured(jdk, READ_THEMSELVES, "readThemselvesByTheLibraryThoughNobodyHasMeasuredThem")
                .jvmOption("-Xshare:on", archive)
                .classPath(classPath)
                .passes();
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

    private static Program measured(Jdk jdk, String... tests) {
        return Program.law(jdk, MeasuredThreadsIT.class, tests)
                .onOneCarrier()
                .jvmOption(InChild.AGENT + VIRTUAL)
                .agent(VIRTUAL);
    }

    private static Program program(Jdk jdk, Class<?> probe, String... arguments) {
        return Program.stock(jdk, probe, arguments).nativeAccess().onOneCarrier();
    }
}
