// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.cli.process.LostWakeUp;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.EchoProbe;
import io.threadclock.it.probe.MonitorProbe;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code threadclock run}: the script of checkouts and archives, and its Java part. */
@Timeout(600)
class RunCommandIT {
    private static final Duration PATIENCE = WaitingJvm.WATCHDOG;
    private static final int LONGEST_START_S = 100;
    private static final int SIGTERM_STATUS = 128 + 15;
    private static final Path SCRIPT = Path.of(System.getProperty("threadclock.home", "../.."))
            .toAbsolutePath()
            .normalize()
            .resolve("cli/src/main/sh/threadclock");

    /** Prints which libraries are loaded, and whether the times of a thread are in order and grow. */
    private static final String PRELOADED =
            """
            import time
            times = [time.thread_time_ns() for _ in range(5000)]
            is_loaded = "libthreadclock-preload.so" in open("/proc/self/maps").read()
            print("loaded", is_loaded, "in order", times == sorted(times), "growing", times[0] < times[-1])
            """;

    @TempDir
    Path directory;

    private Path agent;
    private Path stderr;

    @BeforeEach
    void compileAgent() throws IOException, InterruptedException {
        agent = StubAgent.compiledIn(directory);
        stderr = directory.resolve("stderr");
    }

    @OnEachJdk
    void theProgramHasItsInputOutputStatusAndTheAgent(Jdk jdk) throws Exception {
        Process program = run(List.of(), java(jdk));
        awaitLine("agent: ");
        awaitEndOfAttaching(program);
        send(program, "hello");
        program.getOutputStream().close();
        assertThat(output(program)).containsExactly(EchoProbe.READY, "got hello");
        assertThat(program.waitFor()).isEqualTo(EchoProbe.STATUS);
        assertThat(agentLines()).as("nothing is said of success").isEmpty();
    }

    @OnEachJdkWithVirtualThreads
    void virtualThreadsThatSleepInAMonitorEndAsWithoutUs(Jdk jdk) throws Exception {
        agent = Program.LIBRARY.path();
        Process program = run(List.of("--virtual"), java(jdk, MonitorProbe.class));
        boolean hasOurLibc = jdk.home().startsWith("/usr/lib/jvm"); // else it is attached to, some time after its start
        assertThat(output(program)).endsWith("left=0").contains("first.canRead=" + hasOurLibc);
        assertThat(program.waitFor()).isZero();
        assertThat(Files.readString(stderr))
                .contains(LostWakeUp.told(jdk.version()).orElse(""));
    }

    @Tag("long")
    @OnOldestAndNewestJdk
    void aSignalReachesTheProgram(Jdk jdk) throws Exception {
        Process program = run(List.of(), java(jdk));
        awaitLine("agent: ");
        program.toHandle().destroy();
        assertThat(program.waitFor()).isEqualTo(SIGTERM_STATUS);
    }

    @Tag("long")
    @OnOldestAndNewestJdk
    void theShellBecomesTheProgramAndLeavesItNoChild(Jdk jdk) throws Exception {
        Process program = run(List.of("--verbose", "--source=clock"), java(jdk));
        awaitLine("threadclock: attached to process " + program.pid());
        assertThat(program.toHandle().info().command())
                .hasValueSatisfying(command -> assertThat(command).endsWith("/java"));
        assertThat(program.toHandle().children()).as("children of the program").isEmpty();
        assertThat(Files.readString(stderr)).contains("agent: source=clock", "source clock");
        program.toHandle().destroy();
        program.waitFor();
    }

    @Tag("long")
    @Test
    void aProgramThatEndsFirstIsLeftAlone() throws Exception {
        Process program = run(List.of(), List.of("sh", "-c", "exit 9"));
        assertThat(program.waitFor()).isEqualTo(9);
        assertThat(agentLines()).isEmpty();
    }

    @Tag("long")
    @Test
    void aProgramThatIsNoJvmGoesOn() throws Exception {
        Process program = run(List.of("--timeout=1"), List.of("cat"));
        awaitLine("threadclock: waiting for process " + program.pid() + " to become a JVM: it is no JVM after 1 s");
        send(program, "hello");
        program.getOutputStream().close();
        assertThat(output(program)).containsExactly("hello");
        assertThat(program.waitFor()).isZero();
    }

    @Test
    @Tag("timing")
    void aJvmThatIsAChildOfTheProgramIsNamed() throws Exception {
        String command = String.join(" ", java(CommandLineTool.RUNTIME));
        String named = "it has started the JVM as another process, ";
        // On a busy machine it may not be a JVM yet when the command looks for it.
        for (int seconds = 2;
                seconds == 2
                        || seconds < LONGEST_START_S
                                && !Files.readString(stderr).contains(named);
                seconds *= 3) {
            Process program = run(List.of("--timeout=" + seconds), List.of("sh", "-c", command + "; exit $?"));
            awaitLine("threadclock: waiting for process " + program.pid() + " to become a JVM: ");
            program.getOutputStream().close();
            assertThat(program.waitFor()).isEqualTo(EchoProbe.STATUS);
        }
        assertThat(stderr).content().contains(named);
    }

    @Test
    void aWrongOptionStartsNothing() throws Exception {
        Process program = run(
                List.of("--split=even"),
                List.of("touch", directory.resolve("started").toString()));
        assertThat(program.waitFor()).isEqualTo(2);
        assertThat(directory.resolve("started")).doesNotExist();
        assertThat(agentLines()).singleElement().asString().contains("--split", "--help");
    }

    @Test
    void theProgramsEnvironmentIsItsOwn() throws Exception {
        Process program = run(List.of("--timeout=1"), List.of("env"));
        assertThat(output(program)).noneMatch(line -> line.startsWith("THREADCLOCK_LIBRARY="));
        assertThat(program.waitFor()).isZero();
    }

    @Test
    void aPreloadedProgramHasTheLibraryAndItsTimesInOrder() throws Exception {
        assumeThat(isHere("python3")).as("python3").isTrue();
        agent = Program.LIBRARY.path();
        Process preloaded = run(List.of("--preload"), List.of("python3", "-c", PRELOADED));
        assertThat(output(preloaded)).containsExactly("loaded True in order True growing True");
        assertThat(preloaded.waitFor()).isZero();
    }

    @Test
    void whatIsSetAlreadyStaysFirstAndAddressSanitizerAllowsThePreloadedLibrary() throws Exception {
        agent = Program.LIBRARY.path();
        ProcessBuilder builder = builder(List.of("--preload"), List.of("env"));
        builder.environment().putAll(Map.of("LD_PRELOAD", "/first.so", "ASAN_OPTIONS", "verbosity=0"));
        Process program = builder.start();
        assertThat(output(program))
                .contains(
                        "LD_PRELOAD=/first.so:" + agent.resolveSibling("libthreadclock-preload.so"),
                        "ASAN_OPTIONS=verbosity=0:verify_asan_link_order=0");
        assertThat(program.waitFor()).isZero();
    }

    @Tag("long")
    @Test
    void aStaticProgramIsRefusedAndNotStarted() throws Exception {
        Path source = Files.writeString(directory.resolve("program.c"), "int main(void) { return 7; }");
        Path program = directory.resolve("program");
        Process compiler = new ProcessBuilder(
                        System.getenv().getOrDefault("CC", "cc"),
                        "-static",
                        "-o",
                        program.toString(),
                        source.toString())
                .redirectErrorStream(true)
                .start();
        compiler.getInputStream().readAllBytes();
        assumeThat(compiler.waitFor()).as("a static libc").isZero();
        agent = Program.LIBRARY.path();
        assertThat(run(List.of("--preload"), List.of(program.toString())).waitFor())
                .isEqualTo(1);
        assertThat(agentLines()).singleElement().asString().contains("is a static program", "Link it dynamically");
    }

    private static boolean isHere(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    private Process run(List<String> options, List<String> program) throws IOException {
        return builder(options, program).start();
    }

    private ProcessBuilder builder(List<String> options, List<String> program) {
        String classPath =
                CommandLineTool.classPath().stream().map(Path::toString).collect(Collectors.joining(":"));
        List<String> command = new ArrayList<>(List.of("sh", SCRIPT.toString(), "--built"));
        command.addAll(List.of(CommandLineTool.RUNTIME.java().toString(), classPath, agent.toString(), "run"));
        command.addAll(options);
        if (options.stream().noneMatch(option -> option.startsWith("--timeout=") || option.equals("--preload"))) {
            command.add("--timeout=" + PATIENCE.toSeconds());
        }
        command.add("--");
        command.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(stderr.toFile());
        builder.environment().remove("THREADCLOCK_LIBRARY");
        return builder;
    }

    private static List<String> java(Jdk jdk) {
        return java(jdk, EchoProbe.class);
    }

    private static List<String> java(Jdk jdk, Class<?> probe) {
        List<String> command = new ArrayList<>(List.of(jdk.java().toString(), "-Xmx64m", "-XX:-UsePerfData"));
        command.addAll(Thoroughness.shortLife(List.of()));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), probe.getName()));
        return command;
    }

    private static void send(Process program, String line) throws IOException {
        Writer input = program.outputWriter(StandardCharsets.UTF_8);
        input.write(line + "\n");
        input.flush();
    }

    private static List<String> output(Process program) throws IOException {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(program.getInputStream(), StandardCharsets.UTF_8))) {
            return lines.lines().collect(Collectors.toList());
        }
    }

    /** Only a line shows from outside what the other process has done. */
    private void awaitLine(String text) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.readString(stderr).contains(text)) {
            assertThat(System.nanoTime() - endNs)
                    .as("waiting %s for a line with '%s'; there is: %s", PATIENCE, text, Files.readString(stderr))
                    .isNegative();
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Beside the program, which could otherwise end while it is being asked, which would be said. */
    private static void awaitEndOfAttaching(Process program) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        while (isBeingAttached(program)) {
            assertThat(System.nanoTime() - endNs)
                    .as("waiting %s until process %d is attached", PATIENCE, program.pid())
                    .isNegative();
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static boolean isBeingAttached(Process program) throws IOException {
        String word = "\0--pid=" + program.pid() + "\0";
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (words(process).contains(word)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static String words(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException ended) {
            return "";
        }
    }

    private List<String> agentLines() throws IOException {
        return AgentLibrary.linesOf(Files.readAllLines(stderr));
    }
}
