// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import com.fasterxml.jackson.databind.JsonNode;
import io.threadclock.harness.Exchange;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.ResultsFile;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs make in the native library's folder. Processes that it has started end with this JVM.
 *
 * @param home the checkout
 */
public record NativeMake(Path home) {
    /**
     * Returns its output.
     *
     * @param errors where its standard error goes; a pipe is read together with the rest
     * @throws SetupException if make cannot be started
     */
    public String output(Redirect errors, String target, String... variables) {
        ProcessBuilder make = new ProcessBuilder(command(target, variables));
        make.redirectErrorStream(errors == Redirect.PIPE);
        make.redirectError(errors);
        make.environment().putIfAbsent("JAVA_HOME", Jdks.running().home().toString());
        return output(make);
    }

    /**
     * The small JNI library by which the laboratory reaches what there is without threadclock; built if it is out of date.
     *
     * @throws SetupException if it cannot be built
     */
    public Path bareClocks() {
        return benchLibrary("libbareclocks.so");
    }

    /**
     * The agent that reads the clock when a virtual thread is mounted and unmounted; built if it is out of date.
     *
     * @throws SetupException if it cannot be built
     */
    public Path mountEvents() {
        return benchLibrary("libmountevents.so");
    }

    private Path benchLibrary(String name) {
        String printed = output(Redirect.PIPE, "bench-library");
        Path library = home.resolve("threadclock-native/build/bench").resolve(name);
        if (!Files.isReadable(library)) {
            String last = printed.lines().reduce("nothing", (first, second) -> second);
            throw new SetupException("Running make -C threadclock-native bench-library: it built no " + library
                    + ", and printed at last \"" + last + "\". Run it by hand to see all of it.");
        }
        return library;
    }

    /**
     * The measurements of a target: the answers among everything that it has printed.
     *
     * @throws SetupException if there is none, or one is cut off
     */
    public static List<Measurement> measurementsIn(String printed, String target) {
        try {
            List<Measurement> measured = Exchange.answersIn(printed, JsonNode.class).stream()
                    .map(ResultsFile::measurement)
                    .toList();
            if (!measured.isEmpty()) {
                return measured;
            }
        } catch (IllegalArgumentException cutOff) {
            throw noneIn(target, cutOff.getMessage(), cutOff);
        }
        throw noneIn(target, printed.lines().reduce("nothing", (first, second) -> second), null);
    }

    private static SetupException noneIn(String target, String line, Throwable cause) {
        return new SetupException(
                "Running make -C threadclock-native " + target + ": it printed \"" + line
                        + "\" where a measurement was to be. Run it by hand to see all of it.",
                cause);
    }

    private List<String> command(String target, String... variables) {
        List<String> command = new ArrayList<>(List.of("make", "-s", "--no-print-directory", "-C"));
        command.add(home.resolve("threadclock-native").toString());
        command.add("CC=" + compiler());
        command.addAll(List.of(variables));
        command.add(target);
        return command;
    }

    /** The launcher's own compiler, because with another one make would build the library again. */
    private static String compiler() {
        String named = System.getenv("CC");
        if (named != null && !named.isBlank()) {
            return named;
        }
        return Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "gcc")))
                ? "gcc"
                : "clang";
    }

    private static String output(ProcessBuilder make) {
        Process process = start(make);
        Thread end = new Thread(() -> destroy(process));
        Runtime.getRuntime().addShutdownHook(end);
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException closed) {
            throw new SetupException("Reading what make prints failed: " + closed + ". Run it again.", closed);
        } finally {
            destroy(process);
            Runtime.getRuntime().removeShutdownHook(end);
        }
    }

    private static Process start(ProcessBuilder make) {
        try {
            return make.start();
        } catch (IOException missing) {
            throw new SetupException(
                    "Starting make failed: " + missing.getMessage() + ". Install make, or use ./threadclock.", missing);
        }
    }

    private static void destroy(Process make) {
        make.descendants().forEach(ProcessHandle::destroy);
        make.destroy();
    }
}
