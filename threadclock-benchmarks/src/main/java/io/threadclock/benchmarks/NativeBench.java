// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.results.ResultsDraft;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.SetupException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** Runs {@code make bench} of the native library. */
final class NativeBench {
    private final Path home;

    NativeBench(Path home) {
        this.home = home;
    }

    /** @throws SetupException if it cannot be built or does not say what it measured */
    void measure(int rounds, ResultsDraft draft) {
        ProcessBuilder make = new ProcessBuilder(
                        "make",
                        "-s",
                        "--no-print-directory",
                        "-C",
                        home.resolve("threadclock-native").toString(),
                        "CC=" + compiler(System.getenv()),
                        "ROUNDS=" + rounds,
                        "JSON=1",
                        "bench")
                .redirectErrorStream(true);
        make.environment().putIfAbsent("JAVA_HOME", Jdks.running().home().toString());
        NativeOutput.parse(output(make)).forEach(draft::add);
    }

    /** The one that the launcher builds with: with another, make would build the library anew. */
    static String compiler(Map<String, String> environment) {
        String named = environment.getOrDefault("CC", "");
        if (!named.isBlank()) {
            return named;
        }
        return Stream.of(environment.getOrDefault("PATH", "").split(":"))
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
            throw new SetupException("Reading what make bench prints failed: " + closed + ". Run it again.", closed);
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
                    "Starting make failed: " + missing.getMessage() + ". Install make, or run ./threadclock bench.",
                    missing);
        }
    }

    private static void destroy(Process make) {
        make.descendants().forEach(ProcessHandle::destroy);
        make.destroy();
    }
}
