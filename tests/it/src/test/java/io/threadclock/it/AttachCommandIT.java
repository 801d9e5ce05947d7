// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.LostWakeUp;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.EchoProbe;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code threadclock attach} and {@code detach}, with an agent that does nothing. */
class AttachCommandIT {
    private static final int FIRST_WITH_SWITCH = 9;
    private static final int FIRST_WITH_NOTICE = 21;
    private static final int FIRST_WITH_FOLDER = 28;
    private static final int TRIES = 20;
    private static final long PAGE_BYTES = 4096;
    /** Enough for the JVM itself, and too little for a thread with a heap of its own. */
    private static final long ROOM_BYTES = 64 << 20;

    private static final Path NATIVE = Path.of(System.getProperty("threadclock.home", "../.."), "native/src/main/c")
            .toAbsolutePath()
            .normalize();

    @TempDir
    static Path directory;

    private static Path agent;

    @BeforeAll
    static void compileTheAgent() throws IOException, InterruptedException {
        agent = StubAgent.compiledIn(directory).toRealPath();
    }

    @OnEachJdkAndTheOldest
    void attachesAttachesAgainAndDetaches(Jdk jdk) {
        try (WaitingJvm jvm = new WaitingJvm(jdk)) {
            assertThat(attach(jvm).stdout())
                    .matches("attached to process " + jvm.pid() + " \\(JDK [^)]+\\) in \\d+ ms\n");
            assertThat(attach(jvm, "--source=clock").stdout()).endsWith(" ms, source clock\n");
            assertThat(detach(jvm).stdout()).startsWith("detached from process " + jvm.pid());
            assertThat(CommandLineTool.refusal(detach(jvm))).contains("threadclock is not attached to it");
            assertThat(jvm.asked()).containsExactly("", "source=clock", "detach", "detach");
        }
    }

    @OnEachJdk
    @Tag("server")
    void thatTheJvmWillPrintANoticeIsSaidBefore(Jdk jdk) {
        try (WaitingJvm jvm = new WaitingJvm(jdk)) {
            assertThat(attach(jvm).stderr().contains("this JVM will print a notice"))
                    .as("what is said before the library is loaded")
                    .isEqualTo(jdk.feature() >= FIRST_WITH_NOTICE);
            assertThat(attach(jvm).stderr()).as("once it is loaded").doesNotContain("a notice");
        }
        try (WaitingJvm silent = new WaitingJvm(jdk, "-XX:-UsePerfData")) {
            assertThat(attach(silent).stderr().contains("this JVM prints a notice"))
                    .as("of one that does not tell its version")
                    .isEqualTo(jdk.feature() >= FIRST_WITH_NOTICE);
        }
    }

    @OnEachJdkWithVirtualThreads
    @Tag("server")
    void whatItCostsToMeasureVirtualThreadsIsSaid(Jdk jdk) {
        try (WaitingJvm jvm = new WaitingJvm(jdk)) {
            assertThat(attach(jvm).stderr()).as("without --virtual").doesNotContain("virtual threads");
            assertThat(attach(jvm, "--virtual").stderr())
                    .contains("its virtual threads switch more slowly from now on", "by some 165 to 350 ns each time")
                    .contains(LostWakeUp.told(jdk.version()).orElse(""));
            assertThat(jvm.asked()).containsExactly("", "virtual");
        }
        try (WaitingJvm jvm =
                new WaitingJvm(jdk, "-XX:+UnlockExperimentalVMOptions", "-XX:-DoJVMTIVirtualThreadTransitions")) {
            assertThat(attach(jvm, "--virtual").stderr())
                    .contains("JVMTI does not slow its virtual threads")
                    .matches(said -> said.contains("they can hang") == jdk.canHangWithoutTransitions());
        }
        try (WaitingJvm jvm = new WaitingJvm(jdk, "-XX:StartFlightRecording:filename=/dev/null")) {
            assertThat(attach(jvm, "--virtual").stderr()).contains("no more than before: because of JFR, ");
        }
        try (WaitingJvm jvm = new WaitingJvm(jdk, "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y")) {
            assertThat(attach(jvm, "--virtual").stderr()).contains("no more than before: because of libjdwp.so, ");
        }
    }

    @OnOldestAndNewestJdk
    @Tag("server")
    void aJvmThatIsNotAttachedToIsNotDetached(Jdk jdk) {
        try (WaitingJvm jvm = new WaitingJvm(jdk)) {
            assertThat(CommandLineTool.refusal(detach(jvm))).contains("threadclock is not attached to it");
            assertThat(jvm.asked()).isEmpty();
        }
    }

    @OnEachJdk
    void aJvmThatAllowsNoAttachingIsNotAsked(Jdk jdk) {
        try (WaitingJvm jvm = new WaitingJvm(jdk, "-XX:+DisableAttachMechanism")) {
            assertThat(CommandLineTool.refusal(attach(jvm))).contains("attaching is disabled in it", "-agentpath");
            assertThat(jvm.end().stdout()).as("no dump of its threads").isEqualTo(EchoProbe.READY + "\n");
        }
    }

    @Tag("long")
    @OnEachJdk
    void aJvmThatLoadsNoAgentsSaysSo(Jdk jdk) {
        Assumptions.assumeTrue(jdk.feature() >= FIRST_WITH_SWITCH, "JDK 8 has no switch against loading agents");
        try (WaitingJvm jvm = new WaitingJvm(jdk, "-XX:-EnableDynamicAgentLoading")) {
            assertThat(CommandLineTool.refusal(attach(jvm)))
                    .contains("it loads no agents while it runs", "-XX:+EnableDynamicAgentLoading");
        }
    }

    @OnEachJdk
    @Tag("server")
    void aJvmWithoutSignalsHasItsListenerFromTheStart(Jdk jdk) {
        try (WaitingJvm jvm = new WaitingJvm(jdk, "-Xrs")) {
            assertThat(attach(jvm).exitStatus()).isZero();
            assertThat(jvm.end().exitStatus()).isEqualTo(EchoProbe.STATUS);
        }
    }

    @OnOldestAndNewestJdk
    void aJvmThatIsStoppedIsNotAsked(Jdk jdk) throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(jdk)) {
            jvm.stop();
            assertThat(CommandLineTool.refusal(attach(jvm))).contains("it is stopped", "kill -CONT " + jvm.pid());
            jvm.signal("CONT");
            assertThat(jvm.end().stdout()).as("no dump of its threads").isEqualTo(EchoProbe.READY + "\n");
        }
    }

    @OnOldestAndNewestJdk
    void aJvmWithoutRoomForItsListenerIsNotAskedAndLookedAtFromOutside(Jdk jdk) throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(jdk)) {
            String pages =
                    Files.readString(Path.of("/proc", jvm.pid(), "statm")).split(" ")[0];
            long bytes = Long.parseLong(pages) * PAGE_BYTES + ROOM_BYTES;
            CCompiler.status(List.of("prlimit", "--pid=" + jvm.pid(), "--as=" + bytes + ":"));
            String reason = "it would end, having no room for the thread that listens: RLIMIT_AS";
            assertThat(CommandLineTool.refusal(attach(jvm))).contains(reason);
            ChildResult top = CommandLineTool.run(agent, "top", "-b", "-n", "1", jvm.pid());
            assertThat(top.stdout()).as("%s", top).contains("VM Thread");
            assertThat(top.stderr()).contains(reason, "It is read from outside.");
            assertThat(CommandLineTool.refused(agent, "top", "-b", "--stacks=1", jvm.pid()))
                    .contains(reason);
            assertThat(jvm.end().stdout()).as("no dump of its threads").isEqualTo(EchoProbe.READY + "\n");
        }
    }

    @OnOldestAndNewestJdk
    void aJvmWhoseFirstThreadHasEndedIsAsked(Jdk jdk) throws Exception {
        Path leave = directory.resolve("leave.so");
        CCompiler.run(List.of("-shared", "-fPIC", "-o", leave.toString(), "src/test/c/leave.c"));
        List<String> starter = List.of("env", "LD_PRELOAD=" + leave);
        try (WaitingJvm jvm = new WaitingJvm(jdk, starter, List.of())) {
            assertThat(Files.readString(Path.of("/proc", jvm.pid(), "status"))).contains("State:\tZ");
            assertThat(attach(jvm).exitStatus()).isZero();
            assertThat(detach(jvm).exitStatus()).isZero();
            assertThat(jvm.asked()).containsExactly("", "detach");
        }
    }

    @Test
    @Tag("timing")
    void aJvmThatMayMakeNoSocketIsSaidToHaveMadeNone() throws Exception {
        SystemCallFilter filter = SystemCallFilter.compiledIn(directory);
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME, filter.without("socket"), List.of())) {
            assertThat(CommandLineTool.refusal(attach(jvm, "--timeout=1")))
                    .contains("it has made no socket within 1 s, and has a seccomp filter", "RestrictAddressFamilies");
        }
    }

    @OnOldestAndNewestJdk
    void aJvmIsAskedInTheFolderThatItWasToldToUse(Jdk jdk) throws IOException {
        Assumptions.assumeTrue(jdk.feature() >= FIRST_WITH_FOLDER, jdk + " has no -XX:AltTempDir");
        String folder = "-XX:AltTempDir=" + Files.createDirectories(directory.resolve("alternative"));
        for (String perfData : List.of("-XX:+UsePerfData", "-XX:-UsePerfData")) {
            try (WaitingJvm jvm = new WaitingJvm(jdk, folder, perfData)) {
                assertThat(attach(jvm).exitStatus()).as(perfData).isZero();
                assertThat(jvm.end().stdout()).as("no dump of its threads").isEqualTo(EchoProbe.READY + "\n");
            }
        }
    }

    @Test
    void aJvmInAFrozenControlGroupIsNotAsked() throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME);
                Freezer freezer = new Freezer(jvm)) {
            assertThat(CommandLineTool.refusal(attach(jvm)))
                    .contains("it is frozen, by its control group " + freezer.group());
            freezer.thaw();
            assertThat(jvm.end().stdout()).as("no dump of its threads").isEqualTo(EchoProbe.READY + "\n");
        }
    }

    @Test
    @Tag("timing")
    void whatHasNotTakenTheSignalIsSaidToDumpItsThreadsLater() throws Exception {
        HostileLinksIT.assumeMountNamespaces();
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME);
                Freezer freezer = new Freezer(jvm)) {
            List<String> unseeing = List.of(
                    "unshare", "-m", "sh", "-c", "umount -l " + freezer.group().getParent() + "; exec \"$@\"", "sh");
            ChildResult result = CommandLineTool.runBy(unseeing, List.of(), agent, "attach", "--timeout=1", jvm.pid());
            assertThat(CommandLineTool.refusal(result)).contains("it has not taken within 1 s the SIGQUIT");
        }
    }

    /** A control group of the second version, in which a JVM is frozen. */
    private record Freezer(Path group) implements AutoCloseable {
        Freezer(WaitingJvm jvm) throws Exception {
            this(made("threadclock-it-" + jvm.pid()));
            Files.writeString(group.resolve("cgroup.procs"), jvm.pid());
            Files.writeString(group.resolve("cgroup.freeze"), "1");
        }

        private static Path made(String name) throws IOException {
            Process mounts = new ProcessBuilder("findmnt", "-n", "-f", "-t", "cgroup2", "-o", "TARGET").start();
            Path mount = Path.of(new String(mounts.getInputStream().readAllBytes()).strip());
            Assumptions.assumeTrue(
                    mount.isAbsolute() && Files.isWritable(mount), "no control group of version 2 can be made here");
            return Files.createDirectory(mount.resolve(name));
        }

        void thaw() throws IOException {
            Files.writeString(group.resolve("cgroup.freeze"), "0");
        }

        /** Its process leaves it, because a group that has one cannot be removed. */
        @Override
        public void close() throws IOException {
            thaw();
            for (String pid : Files.readAllLines(group.resolve("cgroup.procs"))) {
                Files.writeString(group.resolveSibling("cgroup.procs"), pid);
            }
            Files.delete(group);
        }
    }

    @Tag("long")
    @OnEachJdk
    void aLibraryThatIsNoAgentIsRefused(Jdk jdk) throws Exception {
        Path plain = Files.createDirectory(directory.resolve("plain" + jdk.feature()))
                .resolve("plain.so");
        Path source = Files.writeString(directory.resolve("plain.c"), "int plain;\n");
        CCompiler.run(List.of("-shared", "-fPIC", "-o", plain.toString(), source.toString()));
        try (WaitingJvm jvm = new WaitingJvm(jdk)) {
            assertThat(CommandLineTool.refusal(attach(jvm, "--library=" + plain)))
                    .contains("it cannot load " + plain);
        }
    }

    @Test
    @Tag("timing")
    void whatWasAskedAndNotAnsweredIsSaidToBeDoneLater() throws Exception {
        Path own = Files.createDirectory(directory.resolve("late"));
        Path library = StubAgent.compiledIn(own, awaiting(own.resolve("go on")));
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            assertThat(CommandLineTool.refusal(asked(library, jvm, "--timeout=1")))
                    .contains("it was asked, and has not answered within 1 s", "threadclock doctor " + jvm.pid());
            assertThat(CommandLineTool.refused(library, "attach", "--timeout=1", "--strict", jvm.pid()))
                    .as("of one that is still at what it was asked before")
                    .contains("it did not answer within 1 s, and was asked for nothing");
            Files.createFile(own.resolve("go on"));
            CommandLineTool.done(library, "detach", jvm.pid());
            assertThat(jvm.asked()).containsExactly("", "detach");
        }
    }

    @Test
    @Tag("timing")
    void whatIsSeenToBeDoneNeedsNoAnswer() throws Exception {
        Path own = Files.createDirectory(directory.resolve("done"));
        Path library = StubAgent.compiledIn(
                own, awaiting(own.resolve("go on")), "-I" + NATIVE, NATIVE + "/jvm/status_pages.c");
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            ChildResult result = asked(library, jvm, "--timeout=10");
            CommandLineTool.assertDone(result);
            assertThat(result.stdout()).startsWith("attached to process " + jvm.pid() + " (JDK ");
            assertThat(result.stderr()).contains("it has done what it was asked for, and has not answered");
            Files.createFile(own.resolve("go on"));
        }
    }

    @Tag("long")
    @Test
    void aJvmThatIsAttachedToWritesItsArchiveAtExit() throws IOException {
        Path archive = directory.resolve("written.jsa");
        List<Path> classes = List.of(jarOf(EchoProbe.class)); // JDK 17 archives none of a directory
        try (WaitingJvm jvm =
                new WaitingJvm(CommandLineTool.RUNTIME, List.of(), classes, "-XX:ArchiveClassesAtExit=" + archive)) {
            CommandLineTool.done(Program.LIBRARY.path(), "attach", jvm.pid());
            assertThat(jvm.end().exitStatus()).isEqualTo(EchoProbe.STATUS);
            assertThat(archive).isNotEmptyFile();
        }
    }

    private static Path jarOf(Class<?> type) throws IOException {
        Path jar = directory.resolve("classes.jar");
        String file = type.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                InputStream bytes = type.getClassLoader().getResourceAsStream(file)) {
            out.putNextEntry(new JarEntry(file));
            bytes.transferTo(out);
        }
        return jar;
    }

    /** On a busy machine a JVM may not be reached in that time, and is asked for nothing then. */
    private static ChildResult asked(Path library, WaitingJvm jvm, String timeout) {
        ChildResult result = CommandLineTool.run(library, "attach", timeout, jvm.pid());
        for (int i = 0; i < TRIES && result.stderr().contains("asked for nothing"); i++) {
            result = CommandLineTool.run(library, "attach", timeout, jvm.pid());
        }
        return result;
    }

    private static String awaiting(Path file) {
        return "-DAWAITED=\"" + file + "\"";
    }

    @ParameterizedTest
    @CsvSource({
        "100, it does not know an option",
        "101, another copy of the library has this JVM",
        "102, the source or split asked for is refused there",
        "103, the JVM has no native methods of the known names",
        "104, the JVM refused to register the native methods",
        "106, the agent failed",
        "42, it returned a number that this version does not know"
    })
    @Tag("server")
    void whatTheAgentReturnsIsALine(int code, String line) throws IOException, InterruptedException {
        Path own = Files.createDirectory(directory.resolve("answers" + code));
        Path refusing = StubAgent.compiledIn(own, "-DANSWER=" + code);
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            ChildResult result = CommandLineTool.run(refusing, "attach", jvm.pid());
            assertThat(CommandLineTool.refusal(result)).contains("attaching to process " + jvm.pid() + ": " + line);
        }
    }

    @Test
    void aProcessThatIsNoJvmLives() throws IOException {
        Process sleep = new ProcessBuilder("sleep", "600").start();
        try {
            ChildResult result = CommandLineTool.run(agent, "attach", Long.toString(sleep.pid()));
            assertThat(CommandLineTool.refusal(result)).contains("it is no JVM");
            assertThat(sleep.isAlive()).as("alive afterwards").isTrue();
        } finally {
            sleep.destroyForcibly();
        }
    }

    @Tag("long")
    @Test
    void aRuntimeOfTheCommandNeedsNoFurtherModule() {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            ChildResult result = CommandLineTool.run(List.of("--limit-modules=java.base"), agent, "attach", jvm.pid());
            CommandLineTool.assertDone(result);
        }
    }

    @Test
    @Tag("server")
    void aReplacedLibraryIsUsedUntilTheJvmEnds() throws IOException, InterruptedException {
        Path own = Files.createDirectory(directory.resolve("replaced"));
        Path library = StubAgent.compiledIn(own);
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            CommandLineTool.done(library, "attach", jvm.pid());
            Files.delete(library);
            StubAgent.compiledIn(own, "-DANSWER=104");
            ChildResult again = CommandLineTool.run(library, "attach", jvm.pid());
            assertThat(again.stderr()).contains("it goes on with the library that it had loaded from " + library);
            CommandLineTool.done(library, "detach", jvm.pid());
        }
    }

    private static ChildResult attach(WaitingJvm jvm, String... options) {
        return CommandLineTool.run(agent, CommandLineTool.words("attach", jvm, options));
    }

    private static ChildResult detach(WaitingJvm jvm) {
        return CommandLineTool.run(agent, "detach", jvm.pid());
    }
}
