// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** {@code threadclock COMMAND}, run to its end by the JDK that runs the tests. */
final class CommandLineTool {
    static final Jdk RUNTIME =
            new Jdk(Path.of(System.getProperty("java.home")), System.getProperty("java.version"), "");

    /**
     * The options of the command line's script: few threads for a short life; QuestDB breaks a heap with compact object
     * headers.
     */
    private static final List<String> LAUNCHERS_OPTIONS = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-XX:-UseCompactObjectHeaders");

    /** The commands that ask a JVM, which answers when the machine gives it a CPU. */
    private static final Set<String> ASKING = Set.of("attach", "detach", "doctor", "export", "record", "top");

    private static final String TIMEOUT = "--timeout=";
    /** Less than {@link WaitingJvm#WATCHDOG}, so that it says itself what it waits for. */
    private static final int PATIENCE_S = 240;

    private CommandLineTool() {}

    /** @param library the agent that it puts into a JVM */
    static ChildResult run(Path library, String... arguments) {
        return run(List.of(), List.of(), List.of(), library, arguments);
    }

    static ChildResult run(List<String> jvmOptions, Path library, String... arguments) {
        return run(List.of(), List.of(), jvmOptions, library, arguments);
    }

    /** Runs it by another program, see {@link ChildJvm.Builder#startedBy}, from this class path. */
    static ChildResult runBy(List<String> starter, List<Path> classPath, Path library, String... arguments) {
        return run(starter, classPath, List.of(), library, arguments);
    }

    /** The class path of the command line. */
    static List<Path> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(":"))
                .filter(entry -> Stream.of(
                                "threadclock-cli",
                                "threadclock-recorder",
                                "threadclock-library",
                                "picocli",
                                "jackson",
                                "jline")
                        .anyMatch(entry::contains))
                .map(Path::of)
                .toList();
    }

    private static ChildResult run(
            List<String> starter, List<Path> classPath, List<String> jvmOptions, Path library, String... arguments) {
        return command(library, arguments)
                .startedBy(starter.toArray(String[]::new))
                .classPath(classPath)
                .jvmOptions(jvmOptions)
                .run();
    }

    /** To be started. */
    static ChildJvm.Builder command(Path library, String... arguments) {
        return ChildJvm.on(RUNTIME)
                .jvmOptions(LAUNCHERS_OPTIONS)
                .mainClass("io.threadclock.cli.ThreadClockCommand")
                .arguments(patient(arguments))
                .environment("THREADCLOCK_LIBRARY", library.toString());
    }

    /** Gives the JVM more time to answer than the default, unless the arguments say how much. */
    private static String[] patient(String... arguments) {
        boolean isSaid = Arrays.stream(arguments).anyMatch(argument -> argument.startsWith(TIMEOUT));
        if (isSaid || !ASKING.contains(arguments[0])) {
            return arguments;
        }
        Stream<String> rest = Arrays.stream(arguments).skip(1);
        return Stream.concat(Stream.of(arguments[0], TIMEOUT + PATIENCE_S), rest)
                .toArray(String[]::new);
    }

    /** The command with these options on this JVM. */
    static String[] words(String command, WaitingJvm jvm, String... options) {
        return Stream.of(new String[] {command}, options, new String[] {jvm.pid()})
                .flatMap(Arrays::stream)
                .toArray(String[]::new);
    }

    /** The same as {@link #run}, which must end well. */
    static ChildResult done(Path library, String... arguments) {
        return assertDone(run(library, arguments));
    }

    static ChildResult assertDone(ChildResult result) {
        assertThat(result.exitStatus()).as("%s", result).isZero();
        return result;
    }

    /** What it says when it refuses. */
    static String refused(Path library, String... arguments) {
        return refusal(run(library, arguments));
    }

    /** Its one line, without earlier announcements, and without the beginning that every line of threadclock has. */
    static String refusal(ChildResult result) {
        List<String> lines = Arrays.stream(result.stderr().split("\n"))
                .filter(line -> line.startsWith("threadclock: ") && !line.contains("this JVM will print a notice"))
                .toList();
        if (result.exitStatus() != 1 || lines.size() != 1) {
            throw new AssertionError("one line and status 1 expected, got " + result);
        }
        return lines.get(0).substring("threadclock: ".length());
    }
}
