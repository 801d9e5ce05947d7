// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.SetupException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The C compiler that {@code CC} names; else the one that is found. */
final class CCompiler {
    private CCompiler() {}

    static void run(List<String> arguments) throws IOException, InterruptedException {
        List<String> compilation = new ArrayList<>(words());
        compilation.addAll(arguments);
        int status = status(compilation);
        if (status != 0) {
            throw new SetupException(String.join(" ", compilation) + " failed with status " + status
                    + ". Install a C compiler and libc's headers, or name the compiler in CC.");
        }
    }

    /** CC may hold options, too. */
    private static List<String> words() throws IOException, InterruptedException {
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

    static int status(List<String> command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
    }
}
