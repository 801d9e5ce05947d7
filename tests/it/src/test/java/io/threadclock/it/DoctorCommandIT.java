// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.EchoProbe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code threadclock doctor} for this machine, and for a JVM that waits. */
class DoctorCommandIT {
    private static final int FIRST_WITH_TICKS = 26;
    private static final int FIRST_WITH_CACHE = 25;
    private static final String MADE_SINCE = "YELLOW measured by the agent's option virtual,"
            + " if made since that was asked for; JVMTI slows each switch by some 165 to 350 ns";

    /** A copy without builds for other machines beside it, which may be older. */
    private static final Path LIBRARY = CopyOfLibrary.path().normalize();

    @Test
    void theMachineIsLookedAtOnOneScreen() {
        ChildResult result = CommandLineTool.run(LIBRARY, "doctor");
        CommandLineTool.assertDone(result);
        assertThat(result.stdout().lines()).hasSizeLessThan(24).allMatch(line -> line.length() <= 80);
        assertThat(result.stdout()).contains("rseq ", "perf ", "ids ", "HZ=");
    }

    @Test
    void aProgramThatIsNoJvmIsLookedAtForThePreloadedLibrary() throws Exception {
        String preload = Program.LIBRARY
                .path()
                .resolveSibling("libthreadclock-preload.so")
                .toString();
        assertThat(saidOf("cat", Map.of())).contains("which is no JVM", "answered by the kernel", "cannot be told");
        assertThat(saidOf("cat", Map.of("LD_PRELOAD", preload))).contains("answers what it asks");
    }

    @Test
    void aProgramWithAnotherUsersRightsIsSaidToIgnoreIt(@TempDir Path directory) throws Exception {
        assumeTrue(
                System.getProperty("user.name").equals("root"), "root, who may give a program another user's rights");
        Path program = Files.copy(Path.of("/bin/cat"), directory.resolve("cat"));
        Files.setAttribute(program, "unix:uid", 65534);
        Files.setAttribute(program, "unix:mode", 04755);
        assertThat(saidOf(program.toString(), Map.of())).contains("ignores LD_PRELOAD");
    }

    private static String saidOf(String command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        Process program = builder.start();
        try {
            program.getOutputStream().write('\n');
            program.getOutputStream().flush();
            program.getInputStream().read(); // it has started
            return CommandLineTool.run(LIBRARY, "doctor", Long.toString(program.pid()))
                    .stdout()
                    .replaceAll("\\s+", " ");
        } finally {
            program.destroy();
        }
    }

    @Test
    void everyRedHasItsRemedy() throws IOException {
        for (JsonNode finding : json("doctor", "--json").path("findings")) {
            assertThat(finding.path("level").asText().equals("red")
                            && finding.path("remedy").asText().isEmpty())
                    .as("red without a remedy: %s", finding)
                    .isFalse();
        }
    }

    @Test
    void aFilterIsNamedAsWhatRefuses(@TempDir Path directory) throws Exception {
        List<String> filter = SystemCallFilter.compiledIn(directory).without("perf_event_open");
        ChildResult result = CommandLineTool.runBy(filter, List.of(), LIBRARY, "doctor");
        assertThat(result.stdout())
                .containsPattern("(yellow|red)\\s+perf\\s+perf_event_open refused: EACCES")
                .contains("a seccomp filter");
    }

    @Tag("long")
    @OnEachJdk
    void theWayOfTheJdksOwnCallFollowsFromItsVersion(Jdk jdk) throws IOException {
        try (WaitingJvm jvm = new WaitingJvm(jdk)) {
            JsonNode call = json("doctor", "--json", jvm.pid()).at("/jvm/ownCall");
            assertThat(call.path("way").asText()).isEqualTo(jdk.feature() < FIRST_WITH_TICKS ? "PROC" : "TICKS");
            assertThat(call.path("userCallNs").asDouble()).isPositive();
            assertThat(call.path("stepNs").asLong()).as("a tick at least").isPositive();
        }
    }

    @Test
    @Tag("server")
    void theSourceIsForeseenForOtherConfinesThanOurs(@TempDir Path directory) throws Exception {
        SystemCallFilter filter = SystemCallFilter.compiledIn(directory);
        List<JsonNode> jvms = Stream.of(
                        List.of("env", "GLIBC_TUNABLES=glibc.pthread.rseq=0"),
                        filter.without("rseq"),
                        filter.without("rseq", "perf_event_open"))
                .parallel()
                .map(DoctorCommandIT::asked)
                .toList();
        assertThat(foreseen(jvms.get(0))).as("without libc's areas").containsExactly(source(jvms.get(0)));
        assertThat(foreseen(jvms.get(1))).as("without rseq").contains(source(jvms.get(1)));
        assertThat(foreseen(jvms.get(2))).as("without either").endsWith(source(jvms.get(2)));
    }

    @Tag("long")
    @Test
    void whereOnlyTheSystemCallIsLeftAttachSaysSoAndWhereToLook(@TempDir Path directory) throws Exception {
        List<String> filter = SystemCallFilter.compiledIn(directory).without("rseq", "perf_event_open");
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME, filter, List.of())) {
            assertThat(CommandLineTool.run(LIBRARY, "attach", jvm.pid()).stderr())
                    .contains("each of its readings is a system call", "threadclock doctor " + jvm.pid());
            assertThat(CommandLineTool.run(LIBRARY, "attach", "--source=clock", jvm.pid())
                            .stderr())
                    .as("asked for by name")
                    .doesNotContain("system call");
        }
    }

    private static JsonNode asked(List<String> starter) {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME, starter, List.of())) {
            attach(jvm);
            return json("doctor", "--json", jvm.pid()).path("jvm");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String source(JsonNode jvm) {
        return jvm.at("/source").asText();
    }

    private static List<String> foreseen(JsonNode jvm) {
        List<String> sources = new ArrayList<>();
        jvm.at("/foreseen/sources").forEach(source -> sources.add(source.asText()));
        return sources;
    }

    @Test
    void nothingIsDoneToAJvmThatIsNotAttached() throws IOException {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            JsonNode alone = json("doctor", "--json", jvm.pid()).path("jvm");
            assertThat(alone.path("agent").isMissingNode()).isTrue();
            assertThat(alone.path("source").isMissingNode()).isTrue();
            assertThat(Files.readString(Path.of("/proc/" + jvm.pid() + "/maps")))
                    .doesNotContain("libthreadclock");
            assertThat(Path.of("/tmp/.java_pid" + jvm.pid())).doesNotExist();
            assertThat(jvm.end().stdout()).isEqualTo(EchoProbe.READY + "\n");
        }
    }

    @Test
    @Tag("server")
    void oneThatIsAttachedSaysItsSource() throws IOException {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            attach(jvm, "--source=ticks");
            JsonNode attached = json("doctor", "--json", jvm.pid()).path("jvm");
            assertThat(attached.path("agent").asText()).isEqualTo(LIBRARY.toString());
            assertThat(attached.path("isInUse").asBoolean()).isTrue();
            assertThat(source(attached)).isEqualTo("ticks");
            assertThat(jvm.end().stdout()).isEqualTo(EchoProbe.READY + "\n");
        }
    }

    @OnOldestAndNewestJdk
    @Tag("server")
    void whatIsAttachedIsSeenFromOutside(Jdk jdk) throws IOException {
        try (WaitingJvm jvm = new WaitingJvm(jdk)) {
            assertThat(isInUse(jvm)).as("with nothing in it").isEqualTo("false");
            CommandLineTool.done(LIBRARY, "top", "-b", "-n", "1", "-d", "0.1", jvm.pid());
            assertThat(isInUse(jvm)).as("looked at").isEqualTo("false");
            CommandLineTool.done(LIBRARY, "attach", jvm.pid());
            assertThat(isInUse(jvm)).as("attached").isEqualTo("true");
            CommandLineTool.done(LIBRARY, "top", "-b", "-n", "1", "-d", "0.1", jvm.pid());
            assertThat(isInUse(jvm)).as("attached, and looked at").isEqualTo("true");
            CommandLineTool.done(LIBRARY, "detach", jvm.pid());
            assertThat(isInUse(jvm)).as("detached").isEqualTo("false");
        }
        try (WaitingJvm jvm = new WaitingJvm(jdk, "-agentpath:" + LIBRARY)) {
            assertThat(isInUse(jvm)).as("from the start").isEqualTo("true");
        }
    }

    @OnEachJdkWithVirtualThreads
    @Tag("server")
    void whatTheAgentDoesForVirtualThreadsIsSeenFromOutside(Jdk jdk) throws IOException {
        try (WaitingJvm jvm = new WaitingJvm(jdk)) {
            assertThat(virtual(jvm)).as("with nothing in it").startsWith("NONE not measured, ");
            attach(jvm);
            assertThat(virtual(jvm))
                    .as("attached without the option")
                    .isEqualTo("NONE not measured, except by the library's VirtualThreads");
            attach(jvm, "--virtual");
            assertThat(virtual(jvm)).as("attached with it").isEqualTo(MADE_SINCE);
            attach(jvm);
            assertThat(virtual(jvm)).as("attached anew without it").startsWith("NONE not measured, ");
            attach(jvm, "--virtual");
            assertThat(virtual(jvm)).as("attached anew with it").isEqualTo(MADE_SINCE);
            CommandLineTool.done(LIBRARY, "detach", jvm.pid());
            assertThat(virtual(jvm)).as("detached").startsWith("NONE not measured, ");
        }
    }

    @Tag("long")
    @OnEachJdkWithVirtualThreads
    void virtualThreadsThatAreMeasuredSinceTheStartAreSeenFromOutside(Jdk jdk) throws IOException {
        try (WaitingJvm jvm = new WaitingJvm(
                jdk,
                "-agentpath:" + LIBRARY + "=virtual",
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:-DoJVMTIVirtualThreadTransitions")) {
            assertThat(virtual(jvm))
                    .isEqualTo(
                            jdk.canHangWithoutTransitions()
                                    ? "RED on JDK 24 and 25 they can hang with -XX:-DoJVMTIVirtualThreadTransitions"
                                    : "GREEN measured by the agent's option virtual, since its start;"
                                            + " JVMTI does not slow them");
        }
        try (WaitingJvm jvm = new WaitingJvm(jdk, "-agentpath:" + LIBRARY)) {
            assertThat(virtual(jvm)).as("without the option").startsWith("NONE not measured, ");
        }
    }

    @OnEachJdkWithVirtualThreads
    @Tag("server")
    void whyVirtualThreadsCannotBeMeasuredIsSaid(Jdk jdk, @TempDir Path directory) throws IOException {
        assumeTrue(jdk.feature() >= FIRST_WITH_CACHE, "-XX:AOTCacheOutput (JDK 25)");
        try (WaitingJvm jvm = new WaitingJvm(
                jdk, "-agentpath:" + LIBRARY + "=virtual", "-XX:AOTCacheOutput=" + directory.resolve("cache"))) {
            assertThat(virtual(jvm))
                    .isEqualTo("YELLOW not measured, though that was asked for:"
                            + " it is to write an archive of its classes");
            attach(jvm);
            assertThat(virtual(jvm)).as("attached anew without the option").startsWith("NONE not measured, ");
        }
    }

    @OnEachJdk
    void aJvmThatHasNoVirtualThreadsIsSaidToHaveNone(Jdk jdk) throws IOException {
        assumeTrue(!JdksUnderTest.hasVirtualThreads(jdk), jdk + " has virtual threads");
        String says = "NONE JDK " + jdk.feature() + " has no virtual threads; they came with JDK 21";
        try (WaitingJvm jvm = new WaitingJvm(jdk, "-agentpath:" + LIBRARY + "=virtual")) {
            assertThat(virtual(jvm)).isEqualTo(says);
        }
    }

    private static void attach(WaitingJvm jvm, String... options) {
        CommandLineTool.done(LIBRARY, CommandLineTool.words("attach", jvm, options));
    }

    private static String virtual(WaitingJvm jvm) throws IOException {
        for (JsonNode finding : json("doctor", "--json", jvm.pid()).path("findings")) {
            if (finding.path("subject").asText().equals("virtual")) {
                return finding.path("level").asText().toUpperCase(Locale.ROOT) + " "
                        + finding.path("says").asText();
            }
        }
        throw new AssertionError("nothing is said of virtual threads");
    }

    private static String isInUse(WaitingJvm jvm) throws IOException {
        return json("doctor", "--json", jvm.pid()).at("/jvm/isInUse").asText("not told");
    }

    @Tag("long")
    @Test
    void whatIsRedSetsTheExitStatus() {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME, "-XX:+DisableAttachMechanism")) {
            assertThat(CommandLineTool.run(LIBRARY, "doctor", "--fail-on=red", jvm.pid())
                            .exitStatus())
                    .isEqualTo(4);
            CommandLineTool.done(LIBRARY, "doctor", jvm.pid());
        }
    }

    private static JsonNode json(String... arguments) throws IOException {
        return new ObjectMapper()
                .readTree(CommandLineTool.done(LIBRARY, arguments).stdout());
    }
}
