// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak;

import io.threadclock.harness.SetupException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The library's directory from tid to record. It grows until the kernel has given every tid once: docs/extrapolation.md. */
final class TidDirectory {
    private static final Path PID_MAX = Path.of("/proc/sys/kernel/pid_max");
    private static final int WORD_BYTES = 4;

    private TidDirectory() {}

    static long mostBytes() {
        // Not by Files.readString(), which asks for one byte first: such a file gives the rest to nobody.
        try (BufferedReader line = Files.newBufferedReader(PID_MAX)) {
            return Long.parseLong(line.readLine().strip()) * WORD_BYTES;
        } catch (IOException refused) {
            throw new SetupException(
                    "Reading " + PID_MAX + " failed: " + refused + ". Run the soak where /proc can be read.", refused);
        }
    }
}
