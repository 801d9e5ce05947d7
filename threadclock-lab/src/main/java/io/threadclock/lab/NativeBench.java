// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.lab.results.ResultsDraft;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;

/** Runs {@code make bench} of the native library. */
final class NativeBench {
    private final Path home;

    NativeBench(Path home) {
        this.home = home;
    }

    /** @throws io.threadclock.harness.SetupException if it cannot be built or does not say what it measured */
    void measure(int rounds, ResultsDraft draft) {
        String output = new NativeMake(home).output(Redirect.PIPE, "bench", "ROUNDS=" + rounds, "JSON=1");
        NativeOutput.parse(output).forEach(draft::add);
    }
}
