// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.Jdks;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a writer leaves that is killed while it writes, again and again. Takes some five seconds. */
@Timeout(600)
@Tag("timing")
class StoreKillTest {
    private static final long SECOND_US = 1_000_000;
    private static final int KILLS = 3;
    private static final long SEED = 1;
    private static final int THREADS = 300;
    /** Seconds of fake time, enough that hours begin in between. */
    private static final int FEWEST_SECONDS = 400;

    @TempDir
    Path directory;

    @Test
    void whatWasCommittedIsThereAndARestartGoesOn() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        long said = -1;
        for (int i = 0; i < KILLS; i++) {
            said = killAfter(FEWEST_SECONDS + random.nextInt(FEWEST_SECONDS * 4), said);
            try (RecordingReader reading = RecordingReader.open(directory)) {
                assertThat(reading.number("select max(timestamp) from processes") - MadeUp.BEGIN_US)
                        .as("µs until the last second, of which %d was said to be committed", said)
                        .isBetween(said * SECOND_US, (said + 1) * SECOND_US);
                assertThat(reading.number("select count() from processes"))
                        .as("seconds, of which each kill may leave one without its last row")
                        .isBetween(said - i, said + 2);
                assertThat(broken(reading)).as("samples that are not whole").isZero();
            }
        }
    }

    private long killAfter(int seconds, long last) throws InterruptedException {
        AtomicLong said = new AtomicLong(last);
        CountDownLatch enough = new CountDownLatch(seconds);
        try (ChildJvm writer = ChildJvm.on(Jdks.running())
                .jvmOptions("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .mainClass(Writer.class)
                .arguments(directory.toString(), Integer.toString(THREADS))
                .onStdout(line -> {
                    said.set(Long.parseLong(line.substring("second ".length())));
                    enough.countDown();
                })
                .start()) {
            assertThat(enough.await(5, TimeUnit.MINUTES))
                    .as(() -> writer.stderrLinesSoFar().toString())
                    .isTrue();
            ProcessHandle.of(writer.pid()).orElseThrow().destroyForcibly();
            writer.await();
        }
        return said.get();
    }

    /** Seconds with a row of the process, but without the rows of all threads. */
    private static long broken(RecordingReader reading) {
        AtomicLong broken = new AtomicLong();
        reading.each(
                "select p.timestamp, count(s.thread) from processes p left join samples s on p.timestamp = s.timestamp group by p.timestamp",
                row -> broken.addAndGet(row.number(1) == THREADS ? 0 : 1));
        return broken.get();
    }

    /** Goes on where it, or the one before it, was, one fake second after the other, and prints which is committed. */
    static final class Writer {
        public static void main(String[] arguments) {
            int threads = Integer.parseInt(arguments[1]);
            Store store = MadeUp.store(Path.of(arguments[0]));
            long us = store.lastSampleUs(MadeUp.JVM).orElse(MadeUp.BEGIN_US - SECOND_US);
            for (; ; ) {
                us += SECOND_US;
                store.put(MadeUp.sample(us, SECOND_US, threads, false));
                System.out.println("second " + (us - MadeUp.BEGIN_US) / SECOND_US);
            }
        }
    }
}
