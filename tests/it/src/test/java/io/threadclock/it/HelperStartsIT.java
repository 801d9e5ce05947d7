// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each command starts threadclock-helper once for each JVM, however much there is to do. */
class HelperStartsIT {
    private static final Path LIBRARY = Program.LIBRARY.path();
    private static final String HELPER = "THREADCLOCK_HELPER";

    @TempDir
    Path directory;

    private Path starts;
    private Path counting;

    @BeforeEach
    void writeTheCountingHelper() throws IOException {
        starts = directory.resolve("starts");
        String helper = System.getenv()
                .getOrDefault(
                        HELPER, LIBRARY.resolveSibling("threadclock-helper").toString());
        counting = Files.writeString(
                directory.resolve("threadclock-helper"),
                "#!/bin/sh\necho >>'" + starts + "'\nexec '" + helper + "' \"$@\"\n");
        assertThat(counting.toFile().setExecutable(true)).isTrue();
    }

    private ChildJvm.Builder command(String... arguments) {
        return CommandLineTool.command(LIBRARY, arguments).environment(HELPER, counting.toString());
    }

    @Test
    void aCommandStartsItOnce() throws IOException {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            for (List<String> words : List.of(
                    List.of("attach"),
                    List.of("top", "-b", "-n1", "-d0.1", "--stacks=1"),
                    List.of("doctor"),
                    List.of("detach"))) {
                Files.writeString(starts, "");
                String[] all =
                        Stream.concat(words.stream(), Stream.of(jvm.pid())).toArray(String[]::new);
                assertThat(command(all).run().exitStatus()).as("%s", words).isZero();
                assertThat(starts).as("starts by %s", words).hasContent("\n");
            }
        }
    }

    @Test
    void exportStartsItOnceForEachJvm() throws Exception {
        try (WaitingJvm one = new WaitingJvm(CommandLineTool.RUNTIME);
                WaitingJvm other = new WaitingJvm(CommandLineTool.RUNTIME)) {
            CountDownLatch read = new CountDownLatch(2);
            try (ChildJvm exporter = command("export", "--prometheus=0", "--interval=1s", one.pid(), other.pid())
                    .onStdout(line -> count(line, read))
                    .onStderr(line -> count(line, read))
                    .start()) {
                assertThat(read.await(WaitingJvm.WATCHDOG.toSeconds(), TimeUnit.SECONDS))
                        .as("both JVMs are read: %s", exporter.stderrLinesSoFar())
                        .isTrue();
                ProcessHandle.of(exporter.pid()).orElseThrow().destroy();
                assertThat(exporter.await().exitStatus()).isZero();
            }
            assertThat(starts).hasContent("\n\n");
        }
    }

    private static void count(String line, CountDownLatch read) {
        if (line.contains("read by the agent")) {
            read.countDown();
        }
    }
}
