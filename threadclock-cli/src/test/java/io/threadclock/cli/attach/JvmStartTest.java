// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.Documented;
import io.threadclock.cli.process.FakeProc;
import io.threadclock.cli.process.JvmKind;
import io.threadclock.cli.process.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class JvmStartTest {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir
    Path mount;

    private FakeProc fake;

    @BeforeEach
    void createProc() {
        fake = new FakeProc(mount);
    }

    @Test
    void aJvmThatHasStartedIsThere() {
        assertThat(JvmStart.awaitJvm(fake.target(), SHORT).kind()).isEqualTo(JvmKind.HOTSPOT);
    }

    @Test
    void aProcessThatBecomesNoJvmIsRefusedWhenTheTimeIsUp() {
        fake.write("77/maps", FakeProc.LIBJVM.replace("libjvm", "libc"));
        assertThat(Documented.refusal(() -> JvmStart.awaitJvm(fake.target(), SHORT)))
                .hasMessageContaining("it is no JVM after");
    }

    @Test
    void aProcessThatIsHiddenIsNotSaidToBeNoJvm() {
        fake.write("77/maps", "");
        assertThat(Documented.refusal(() -> JvmStart.awaitJvm(fake.target(), SHORT)))
                .hasMessageContaining("does not show what it has loaded");
    }

    @Test
    void aJvmThatIsAnotherProcessIsNamed() {
        fake.write("77/maps", FakeProc.LIBJVM.replace("libjvm", "libc"))
                .write("79/maps", FakeProc.LIBJVM)
                .write("79/stat", "79 (java) S 77 1 1\n");
        assertThat(Documented.refusal(() -> JvmStart.awaitJvm(fake.target(), SHORT)))
                .hasMessageContaining("another process, 79", "threadclock attach 79");
    }

    @Test
    void aProcessThatEndsIsNotWaitedFor() throws IOException {
        Target target = fake.write("77/maps", "").target();
        Files.delete(fake.file("77/stat"));
        assertThat(Documented.refusal(() -> JvmStart.awaitJvm(target, LONG)))
                .hasMessageContaining("it ended meanwhile");
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
