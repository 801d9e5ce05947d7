// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How busy the machine was with other things before the measurement began: on a busy one no figure can be trusted. */
public final class LoadAverage {
    private LoadAverage() {}

    /** That of the last minute, as the kernel writes it; "unknown" where it cannot be read. */
    public static String now() {
        try {
            return ofFile(Files.readString(Path.of("/proc/loadavg")));
        } catch (IOException hidden) {
            return "unknown";
        }
    }

    static String ofFile(String text) {
        return text.split(" ", 2)[0].strip();
    }
}
