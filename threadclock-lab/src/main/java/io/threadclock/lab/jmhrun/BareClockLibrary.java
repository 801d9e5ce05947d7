// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmhrun;

import io.threadclock.harness.Jdks;
import io.threadclock.harness.SetupException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Builds the small JNI library by which benchmarks and soak reach what there is without threadclock. */
public final class BareClockLibrary {
    private static final String PLACE = "build/bench/libbareclocks.so";

    private BareClockLibrary() {}

    /**
     * Where it is, built if it is out of date.
     *
     * @param home of the checkout
     * @throws SetupException if it cannot be built
     */
    public static Path in(Path home) {
        Path folder = home.resolve("threadclock-native");
        String output = make(folder);
        Path library = folder.resolve(PLACE);
        if (!Files.isReadable(library)) {
            String last = output.lines().reduce("nothing", (first, second) -> second);
            throw new SetupException("Running make -C threadclock-native bench-library: it built no " + library
                    + ", and printed at last \"" + last + "\". Run it by hand to see all of it.");
        }
        return library;
    }

    private static String make(Path folder) {
        ProcessBuilder make = new ProcessBuilder("make", "-s", "-C", folder.toString(), "bench-library")
                .redirectErrorStream(true);
        make.environment().putIfAbsent("JAVA_HOME", Jdks.running().home().toString());
        try {
            return new String(make.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException missing) {
            throw new SetupException(
                    "Starting make failed: " + missing.getMessage() + ". Install make, or run ./threadclock bench.",
                    missing);
        }
    }
}
