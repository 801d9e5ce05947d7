// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChildJvmTest {
    private static final int PATIENCE_S = 120;

    @Test
    void returnsExitStatusAndBothStreams() {
        ChildResult result = child(Talker.class).arguments("7").run();
        assertThat(result).isEqualTo(new ChildResult(7, false, "to stdout\n", "to stderr\n"));
    }

    @Test
    void passesJvmOptionsArgumentsAndEnvironment() {
        ChildResult result = child(Echo.class)
                .jvmOptions("-Dcolour=green")
                .environment("SHAPE", "round")
                .arguments("first", "second")
                .run();
        assertThat(result.stdoutLines()).containsExactly("green", "round", "[first, second]");
    }

    @Test
    void givesAStarterTheCommandLineOfTheJvm() {
        ChildResult result = child(Echo.class)
                .startedBy("sh", "-c", "SHAPE=round exec \"$@\"", "starter")
                .jvmOptions("-Dcolour=green")
                .run();
        assertThat(result.stdoutLines()).containsExactly("green", "round", "[]");
    }

    @Test
    void handsOverLinesAsTheyCome() throws InterruptedException {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        try (ChildJvm child = child(Answerer.class).onStdout(lines::add).start()) {
            child.send("hello");
            assertThat(lines.poll(PATIENCE_S, TimeUnit.SECONDS)).isEqualTo("you said hello");
            child.endInput();
            assertThat(child.await().exitStatus()).isZero();
        }
    }

    @Test
    void isKilledWhenItsTimeIsUp() {
        ChildResult result =
                child(Sleeper.class).timeout(Duration.ofMillis(300)).run();
        assertThat(result.timedOut()).isTrue();
        assertThat(result.exitStatus()).isEqualTo(128 + 9);
    }

    @Test
    void isKilledByClose() {
        ChildJvm child = child(Sleeper.class).start();
        child.close();
        assertThat(ProcessHandle.of(child.pid()).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void endsByItselfWhereItHasAGrace() throws InterruptedException {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        ChildJvm child = child(Leaver.class)
                .grace(Duration.ofSeconds(PATIENCE_S))
                .onStdout(lines::add)
                .start();
        assertThat(nextOf(lines)).isEqualTo("here");
        child.close();
        assertThat(nextOf(lines)).isEqualTo("gone");
    }

    @Test
    void isKilledWhenItsGraceIsOver() throws InterruptedException {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        ChildJvm child = child(Stayer.class)
                .grace(Duration.ofMillis(100))
                .onStdout(lines::add)
                .start();
        assertThat(nextOf(lines)).isEqualTo("here");
        child.close();
        assertThat(ProcessHandle.of(child.pid()).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void runsWithoutTheOptionsThatTheEnvironmentSlipsIn() {
        ChildResult result = child(ParentOfEcho.class)
                .environment("JAVA_TOOL_OPTIONS", "-Dcolour=red")
                .run();
        assertThat(result.stdoutLines()).startsWith("null");
    }

    @Test
    void saysWhatToDoWhenTheJavaCannotBeStarted() {
        Jdk broken = new Jdk(Path.of("/nowhere"), "17", "");
        assertThatThrownBy(() -> ChildJvm.on(broken).mainClass(Talker.class).start())
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("/nowhere/bin/java", "No such file", "THREADCLOCK_JDKS");
    }

    /** SIGTERM and not SIGINT: a shell starts background jobs with SIGINT ignored, and the JVM respects that. */
    @Test
    void isGoneWithItsDirectoryWhenItsParentIsTerminated() throws IOException, InterruptedException {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        try (ChildJvm parent = child(ParentOfSleeper.class).onStdout(lines::add).start()) {
            Optional<ProcessHandle> grandchild = ProcessHandle.of(Long.parseLong(nextOf(lines)));
            Path directory = Path.of(nextOf(lines));
            assertThat(directory).isDirectoryContaining("glob:**/file");
            ProcessHandle.of(parent.pid()).orElseThrow().destroy();
            parent.await();
            assertThat(grandchild.filter(ProcessHandle::isAlive)).isEmpty();
            assertThat(Files.exists(directory)).isFalse();
        }
    }

    private static String nextOf(BlockingQueue<String> lines) throws InterruptedException {
        String line = lines.poll(PATIENCE_S, TimeUnit.SECONDS);
        assertThat(line).as("a line within %d s", PATIENCE_S).isNotNull();
        return line;
    }

    private static ChildJvm.Builder child(Class<?> main) {
        return ChildJvm.on(Jdks.running()).mainClass(main);
    }

    static final class Talker {
        public static void main(String[] arguments) {
            System.out.println("to stdout");
            System.err.println("to stderr");
            System.exit(Integer.parseInt(arguments[0]));
        }
    }

    static final class Echo {
        public static void main(String[] arguments) {
            System.out.println(System.getProperty("colour"));
            System.out.println(System.getenv("SHAPE"));
            System.out.println(List.of(arguments));
        }
    }

    static final class Answerer {
        public static void main(String[] arguments) throws IOException {
            byte[] line = new byte[5];
            int length = System.in.readNBytes(line, 0, line.length);
            System.out.println("you said " + new String(line, 0, length, java.nio.charset.StandardCharsets.UTF_8));
            System.in.readAllBytes();
        }
    }

    static final class Sleeper {
        public static void main(String[] arguments) throws InterruptedException {
            Thread.sleep(TimeUnit.MINUTES.toMillis(5));
        }
    }

    static final class Leaver {
        public static void main(String[] arguments) throws InterruptedException {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("gone")));
            System.out.println("here");
            Thread.sleep(TimeUnit.MINUTES.toMillis(5));
        }
    }

    static final class Stayer {
        public static void main(String[] arguments) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> await(new CountDownLatch(1))));
            System.out.println("here");
            await(new CountDownLatch(1));
        }

        private static void await(CountDownLatch never) {
            try {
                never.await();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException("nobody interrupts", interrupted);
            }
        }
    }

    static final class ParentOfEcho {
        public static void main(String[] arguments) {
            System.out.print(child(Echo.class).run().stdout());
        }
    }

    static final class ParentOfSleeper {
        public static void main(String[] arguments) throws IOException {
            ChildJvm child = child(Sleeper.class).start();
            ScratchDirectory directory = ScratchDirectory.create("threadclock-test-");
            Files.createFile(directory.path().resolve("file"));
            System.out.println(child.pid());
            System.out.println(directory.path());
            child.await();
        }
    }
}
