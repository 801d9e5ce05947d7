// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.harness.Exchange;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import io.threadclock.lab.program.ManyVirtualThreads.Cost;
import io.threadclock.lab.program.ManyVirtualThreads.Request;
import io.threadclock.lab.question.ProgramJvm;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real program in a JVM of the newest JDK, with fewer threads. About three seconds. */
class ManyVirtualThreadsTest {
    private static final int THREADS = 20_000;

    /** What a full collection leaves of other objects differs by as much as this, divided by the threads. */
    private static final double NOISE_BYTES = 24;

    @TempDir
    Path directory;

    @Test
    void anAccountTakesSixtyFourBytesAndNothingAfterItsThreadHasEnded() {
        Optional<Jdk> newest =
                Jdks.onePerFeature(LivesOfThreads.OLDEST_WITH_VIRTUAL).stream().reduce((older, newer) -> newer);
        assumeThat(newest).as("a JDK with virtual threads").isPresent();
        try (Exchange child = new Exchange(
                "many virtual threads",
                ProgramJvm.on(newest.get(), directory)
                        .jvmOptions("-Xint") // compiled frames are smaller than others
                        .mainClass(ManyVirtualThreads.class))) {
            assertThat(child.ask(new Request(THREADS, true, false), Cost.class).ns())
                    .as("ns of a thread's start and end")
                    .isPositive();
            child.ask(new Request(THREADS, true, true), Cost.class); // the JDK's own tables grow once
            Cost stock = child.ask(new Request(THREADS, false, true), Cost.class);
            Cost accounted = child.ask(new Request(THREADS, true, true), Cost.class);
            assertThat(accounted.parkedBytes() - stock.parkedBytes())
                    .as("bytes of an account, with %s and without %s", accounted, stock)
                    .isBetween(NOISE_BYTES, 64 + NOISE_BYTES);
            assertThat(accounted.endedBytes())
                    .as("bytes of a thread that has ended")
                    .isLessThan(NOISE_BYTES);
            assertThat(accounted.snapshotNs()).as("ns of a snapshot").isPositive();
        }
    }
}
