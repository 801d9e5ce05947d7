// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadAverageTest {
    @TempDir
    Path directory;

    @Test
    void isThatOfTheLastMinute() throws IOException {
        assertThat(of("0.42 1.05 2.00 3/456 7890\n")).hasToString("0.42");
    }

    @Test
    void isWhatTheLauncherReadBeforeItBuilt() throws IOException {
        Path file = Files.writeString(directory.resolve("loadavg"), "3.00 1.05 2.00 3/456 7890\n");
        assertThat(LoadAverage.of(Map.of("THREADCLOCK_LOAD", "0.11"), file)).hasToString("0.11");
    }

    @Test
    void warnsWhereMoreThanHalfOfTheCpusAreBusy() throws IOException {
        assertThat(of("1.01 0 0 1/1 1").warning(2)).hasValueSatisfying(warning -> assertThat(warning)
                .startsWith("the load average was 1.01 on 2 CPUs before this began")
                .contains("worthless"));
        assertThat(of("1.00 0 0 1/1 1").warning(2)).isEmpty();
        assertThat(of("7.99 0 0 1/1 1").warning(16)).isEmpty();
    }

    @Test
    void warnsOfNothingThatIsNotKnown() {
        LoadAverage hidden = LoadAverage.of(Map.of(), directory.resolve("none"));
        assertThat(hidden).hasToString("unknown");
        assertThat(hidden.warning(1)).isEmpty();
    }

    private LoadAverage of(String text) throws IOException {
        return LoadAverage.of(Map.of(), Files.writeString(directory.resolve("loadavg"), text));
    }
}
