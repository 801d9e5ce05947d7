// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.recorder.JvmName;
import io.threadclock.recorder.RetentionLimits;
import io.threadclock.recorder.Sample;
import io.threadclock.recorder.SampleSink;
import io.threadclock.recorder.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportTest {
    private static final JvmName JVM = new JvmName("host", "app.jar", 4711, 100);
    private static final long BEGIN_US = 1_767_225_600_000_000L;

    private final CommandHere command = new CommandHere();

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"", "data/db"})
    void refusesADirectoryThatIsNotThereOrNoRecording(String present) throws IOException {
        Files.createDirectories(directory.resolve(present));
        assertThat(report()).isEqualTo(1);
        assertThat(command.err()).hasLineCount(1).contains("nothing has been recorded there");
    }

    @Test
    void refusesOneSampleAndLeavesNoPage() {
        try (Store store = store()) {
            put(store, 1);
        }
        assertThat(report()).isEqualTo(1);
        assertThat(command.err()).hasLineCount(1).contains("there are no two samples");
        assertThat(directory.resolve("page.html")).doesNotExist();
    }

    @Test
    void showsWhatIsStillBeingRecorded() {
        try (Store store = store()) {
            put(store, 21);
            assertThat(report()).as(command.err()).isZero();
            assertThat(command.out())
                    .contains(
                            "page.html: 21 samples of app.jar (at most 1 thread at once, 0 used CPU time) in 2 s, in slots of 100 ms");
            assertThat(command.run(
                            "report", "--dir=" + data(), "--json", "--sql=select pid, threads from processes limit 1"))
                    .isZero();
            assertThat(command.out()).endsWith("{\"pid\":4711,\"threads\":1}" + System.lineSeparator());
        }
    }

    private int report() {
        return command.run("report", "--dir=" + data(), "--output=" + directory.resolve("page.html"));
    }

    private Path data() {
        return directory.resolve("data");
    }

    private Store store() {
        return Store.open(data(), RetentionLimits.parse("1g"));
    }

    private static void put(SampleSink store, int samples) {
        for (int i = 0; i < samples; i++) {
            long elapsedUs = i == 0 ? 0 : 100_000;
            Sample.Whole whole = new Sample.Whole(elapsedUs, 5 * elapsedUs, elapsedUs);
            store.put(
                    new Sample(JVM, BEGIN_US + i * 100_000L, elapsedUs, 1, whole, 0, List.of(), List.of(), List.of()));
        }
    }
}
