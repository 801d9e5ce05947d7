// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** src/test/c/agent.c, compiled: an agent that only prints what it was asked. */
final class StubAgent {
    private static final Path SOURCE = Path.of("src/test/c/agent.c");

    private StubAgent() {}

    /** Compiles it as libthreadclock.so, in {@code directory}. */
    static Path compiledIn(Path directory, String... compilerOptions) throws IOException, InterruptedException {
        Path library = directory.resolve("libthreadclock.so");
        List<String> options = new ArrayList<>(List.of(compilerOptions));
        options.addAll(List.of("-O1", "-shared", "-fPIC", "-o", library.toString(), SOURCE.toString()));
        CCompiler.run(options);
        return library;
    }
}
