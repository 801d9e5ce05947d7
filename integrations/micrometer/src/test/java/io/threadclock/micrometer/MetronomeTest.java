// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MetronomeTest {
    private final BlockingQueue<Thread> beats = new LinkedBlockingQueue<>();

    @Test
    void beatsAtOnceAndAgainInADaemonThreadUntilItIsClosed() throws InterruptedException {
        Metronome metronome =
                new Metronome("beat", true, Duration.ofMillis(1), () -> beats.add(Thread.currentThread()));
        metronome.start();
        metronome.start(); // which changes nothing
        Thread beating = beats.poll(2, TimeUnit.MINUTES);
        assertThat(beats.poll(2, TimeUnit.MINUTES))
                .as("thread of the second beat")
                .isSameAs(beating);
        assertThat(beating.isDaemon()).as("is a daemon").isTrue();
        metronome.close();
        // Or a container finds the thread of a program that it has ended.
        assertThat(beating.isAlive()).as("is alive after close()").isFalse();
    }

    @Test
    void mayBeginWithTheFirstInterval() throws InterruptedException {
        try (Metronome metronome =
                new Metronome("beat", false, Duration.ofDays(1), () -> beats.add(Thread.currentThread()))) {
            metronome.start();
        }
        assertThat(beats).isEmpty();
    }

    /** The program's handler of uncaught exceptions may end it. */
    @Test
    void goesOnAfterAnyFailureAndTellsNoHandler() throws InterruptedException {
        BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
        try (Metronome metronome = new Metronome("beat", true, Duration.ofMillis(1), () -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> told.add(thrown));
            beats.add(Thread.currentThread());
            throw new LinkageError("each beat fails");
        })) {
            metronome.start();
            beats.poll(2, TimeUnit.MINUTES);
            assertThat(beats.poll(2, TimeUnit.MINUTES))
                    .as("beat after the failure")
                    .isNotNull();
            assertThat(told).isEmpty();
        }
    }
}
