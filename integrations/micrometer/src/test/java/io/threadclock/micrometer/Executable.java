// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program that may be missing: it is searched in the folder that THREADCLOCK_PROMETHEUS names, and on the PATH. */
final class Executable {
    private static final String FOLDER = "THREADCLOCK_PROMETHEUS";
    private static final int PATIENCE_MINUTES = 10;

    private Executable() {}

    /** Finds a program of Debian's package prometheus. Skips the test if it is missing. */
    static Path find(String name) {
        return find(name, "of the package prometheus; ./threadclock test fetches it");
    }

    /** Skips the test if it is missing, and says where it comes from. */
    static Path find(String name, String origin) {
        Optional<Path> found = look(name);
        assumeThat(found).as("%s, %s", name, origin).isPresent();
        return found.orElseThrow();
    }

    static Optional<Path> look(String name) {
        return Stream.concat(
                        Stream.ofNullable(System.getenv(FOLDER)),
                        Stream.of(System.getenv("PATH").split(File.pathSeparator)))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Runs the program to its end. Its output is in a file of the folder, and in the message if it fails. */
    static String output(Path folder, List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                throw new AssertionError(
                        command + " did not end within " + PATIENCE_MINUTES + " minutes: " + Files.readString(output));
            }
            return process.exitValue() + "\n" + Files.readString(output);
        } finally {
            process.destroyForcibly();
        }
    }
}
