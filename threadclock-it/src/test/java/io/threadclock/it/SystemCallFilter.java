// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.SetupException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** src/test/c/deny.c: starts a JVM to which the kernel refuses certain system calls. */
record SystemCallFilter(Path program) {
    private static final Path SOURCE = Path.of("src/test/c/deny.c");
    private static final int NO_FILTER = 125;

    /** Compiled into {@code directory}; the test is skipped where this kernel filters no system calls. */
    static SystemCallFilter compiledIn(Path directory) throws IOException, InterruptedException {
        Path program = directory.resolve("deny");
        List<String> compilation = new ArrayList<>(compiler());
        compilation.addAll(List.of("-O1", "-o", program.toString(), SOURCE.toString()));
        int status = status(compilation);
        if (status != 0) {
            throw new SetupException("Compiling " + SOURCE + " failed with status " + status
                    + ". Install a C compiler and libc's headers, or name the compiler in CC.");
        }
        Assumptions.assumeTrue(
                status(List.of(program.toString(), "rseq", "true")) != NO_FILTER, "this kernel has no seccomp filters");
        return new SystemCallFilter(program);
    }

    /** What starts a program without these calls. */
    List<String> without(String... calls) {
        return List.of(program.toString(), String.join(",", calls));
    }

    /** CC may hold options, too. */
    private static List<String> compiler() throws IOException, InterruptedException {
        String named = System.getenv("CC");
        if (named != null && !named.isBlank()) {
            return List.of(named.strip().split("\\s+"));
        }
        for (String name : List.of("cc", "gcc", "clang")) {
            if (status(List.of("sh", "-c", "command -v " + name)) == 0) {
                return List.of(name);
            }
        }
        throw new SetupException(
                "Looking for a C compiler: there is no cc, gcc or clang. Install one, or name it in CC.");
    }

    private static int status(List<String> command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
    }
}
