// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** src/test/c/deny.c: starts a JVM to which the kernel refuses certain system calls. */
record SystemCallFilter(Path program) {
    private static final Path SOURCE = Path.of("src/test/c/deny.c");
    private static final int NO_FILTER = 125;

    /** Compiled into {@code directory}; the test is skipped where this kernel filters no system calls. */
    static SystemCallFilter compiledIn(Path directory) throws IOException, InterruptedException {
        Path program = directory.resolve("deny");
        CCompiler.run(List.of("-O1", "-o", program.toString(), SOURCE.toString()));
        Assumptions.assumeTrue(
                CCompiler.status(List.of(program.toString(), "rseq", "true")) != NO_FILTER,
                "this kernel has no seccomp filters");
        return new SystemCallFilter(program);
    }

    /** The words that start a program without these calls. */
    List<String> without(String... calls) {
        return List.of(program.toString(), String.join(",", calls));
    }
}
