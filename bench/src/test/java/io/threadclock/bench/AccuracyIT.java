// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The program in C that judges the errors. How exact the readers are is not tested: that depends on who else uses the
 * machine.
 */
class AccuracyIT {
    private static final Path BENCH = Path.of("").toAbsolutePath();

    record Result(int status, String printed) {}

    @Test
    void aPlantedFaultBreaksABound() throws Exception {
        assertThat(run("make", "-s", "-C", BENCH.toString())).isEqualTo(new Result(0, ""));
        Result result =
                run(BENCH + "/build/accuracy", "--quick", "--workload=spin", "--split=smoothed", "--plant=reader");

        assertThat(result.printed()).containsPattern("(?m)^BROKEN .* spin +smoothed, 10ms, user time");
        assertThat(result.status()).isEqualTo(1);
    }

    private static Result run(String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), printed);
    }
}
