// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.Documented;
import io.threadclock.cli.process.JvmKind;
import io.threadclock.cli.process.OverFakeProc;
import io.threadclock.cli.process.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(600)
class JvmStartTest extends OverFakeProc {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofMinutes(2);

    @Test
    void aJvmThatHasStartedIsThere() {
        assertThat(JvmStart.awaitJvm(fake.target(), SHORT).kind()).isEqualTo(JvmKind.HOTSPOT);
    }

    /** Process 79 is the other one's child. */
    @ParameterizedTest
    @CsvSource({
        "libc.so, '', it is no JVM after",
        "'', '', does not show what it has loaded",
        "libc.so, libjvm.so, 'another process, 79. Have it started by exec, or attach to it: threadclock attach 79'"
    })
    void whatIsNoJvmWhenTheTimeIsUpIsRefused(String its, String childs, String refusal) {
        fake.write("79/stat", "79 (java) S 77 1 1\n")
                .write("79/maps", childs.isEmpty() ? "" : fake.code("/" + childs))
                .write("77/maps", its.isEmpty() ? "" : fake.code("/" + its));
        Documented.refused(() -> JvmStart.awaitJvm(fake.target(), SHORT), refusal);
    }

    @Test
    void aProcessThatEndsIsNotWaitedFor() throws IOException {
        Target target = fake.write("77/maps", "").target();
        Files.delete(fake.file("77/stat"));
        Documented.refused(() -> JvmStart.awaitJvm(target, LONG), "it ended meanwhile");
    }

    @Test
    void aJvmWithoutItsLastThreadIsStillStarting() {
        fake.write("77/task/78/comm", "VM Thread\n");
        long beginNs = System.nanoTime();
        JvmStart.awaitEnd(fake.target(), SHORT);
        assertThat(System.nanoTime() - beginNs).as("waited, ns").isGreaterThanOrEqualTo(SHORT.toNanos());
    }

    /** Its threads are a pipe here, which is written to after the earlier status has been read. */
    @Test
    void aJvmIsSeenAsItIsWhenItHasStarted() throws Exception {
        Target target = fake.statusWith("5ccf", "5ccb").target();
        Files.delete(fake.file("77/task/78/comm"));
        assertThat(new ProcessBuilder("mkfifo", fake.file("77/task/78/comm").toString())
                        .start()
                        .waitFor())
                .isZero();
        CompletableFuture<Void> start = CompletableFuture.runAsync(() -> {
            try (Writer threads = Files.newBufferedWriter(fake.file("77/task/78/comm"))) {
                fake.statusWith("5ccb", "5ccf");
                threads.write("Common-Cleaner\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThat(JvmStart.awaitEnd(target, LONG).mayBeAsked())
                .as("catches SIGQUIT")
                .isTrue();
        start.join();
    }
}
