// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** A JVM of the same JDK without the agent, whose answers are the ones to give. */
final class StockJvm {
    private StockJvm() {}

    /** The lines that its main method prints. */
    static List<String> linesOf(Class<?> program) throws IOException, InterruptedException {
        Process stock = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(stock.getInputStream(), StandardCharsets.UTF_8))) {
            List<String> printed = lines.lines().collect(Collectors.toList());
            assertThat(stock.waitFor()).as("exit status of a stock JVM").isZero();
            return printed;
        }
    }
}
