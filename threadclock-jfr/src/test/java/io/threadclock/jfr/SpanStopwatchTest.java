// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpanStopwatchTest {
    private static final long WORK_NS = 2_000_000;

    private final Recording recording = new Recording();

    @TempDir
    private Path folder;

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
    }

    @AfterEach
    void close() {
        recording.close();
    }

    private List<RecordedEvent> spans() throws IOException {
        return Recorded.events(recording, folder, "threadclock.Span");
    }

    @Test
    void recordsWhatItHasMeasured() throws IOException {
        SpanStopwatch watch = new SpanStopwatch("order.validate");
        recording.start();
        try (SpanStopwatch running = watch.start()) {
            assertThat(running.isRunning()).isTrue();
            Recorded.burn(WORK_NS);
        }
        RecordedEvent span = spans().get(0);
        assertThat(span.getString("name")).isEqualTo("order.validate");
        assertThat(span.getDuration("userTime").toNanos()).isEqualTo(watch.userTimeNs());
        assertThat(span.getDuration("systemTime").toNanos()).isEqualTo(watch.systemTimeNs());
        assertThat(span.getThread().getJavaName())
                .isEqualTo(Thread.currentThread().getName());
        assertThat(watch.cpuTimeNs()).isGreaterThanOrEqualTo(WORK_NS);
        assertThat(span.getDuration().toNanos()).as("wall time, ns").isGreaterThanOrEqualTo(WORK_NS * 9 / 10);
    }

    @Test
    void recordsWhatAnAccountedVirtualThreadHasCost() throws Exception {
        assumeThat(VirtualThreads.areAccountable())
                .as(VirtualThreads.explanation())
                .isTrue();
        recording.start();
        Thread thread = VirtualThreads.factory().newThread(() -> {
            SpanStopwatch watch = new SpanStopwatch("virtual").start();
            Recorded.burn(WORK_NS);
            Thread.yield();
            watch.stop();
        });
        thread.start();
        thread.join();
        RecordedEvent span = spans().get(0);
        assertThat(span.getDuration("userTime")
                        .plus(span.getDuration("systemTime"))
                        .toNanos())
                .as("CPU time, ns")
                .isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void refusesAVirtualThreadThatIsNotAccountedAndRecordsNothing() throws Exception {
        assumeThat(Runtime.version().feature()).as("Java with virtual threads").isGreaterThanOrEqualTo(21);
        recording.start();
        SpanStopwatch watch = new SpanStopwatch("refused");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Runnable span = () -> thrown.set(catchThrowable(watch::start));
        ((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, span)).join();
        assertThat(thrown.get())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("VirtualThreads.factory()");
        assertThat(watch.isRunning()).isFalse();
        assertThat(spans()).isEmpty();
    }

    @Test
    void recordsEachMeasurementByItself() throws IOException {
        SpanStopwatch watch = new SpanStopwatch("again");
        recording.start();
        watch.start();
        Recorded.burn(20 * WORK_NS);
        long firstNs = watch.stop();
        long beginNs = System.nanoTime();
        watch.start();
        Recorded.burn(WORK_NS);
        long secondNs = watch.stop();
        long wallNs = System.nanoTime() - beginNs;
        List<RecordedEvent> spans = spans();
        assertThat(spans)
                .extracting(span -> span.getDuration("userTime")
                        .plus(span.getDuration("systemTime"))
                        .toNanos())
                .containsExactly(firstNs, secondNs);
        assertThat(spans.get(1).getDuration().toNanos())
                .as("wall ns of the second, of a fifth of which two clocks may differ")
                .isBetween(WORK_NS * 4 / 5, wallNs * 6 / 5);
        assertThat(spans.get(1).getStartTime())
                .as("start of the second")
                .isAfterOrEqualTo(spans.get(0).getEndTime());
    }

    @Test
    void measuresWithoutARecording() {
        SpanStopwatch watch = new SpanStopwatch("unrecorded");
        watch.start();
        Recorded.burn(WORK_NS);
        assertThat(watch.stop()).isEqualTo(watch.cpuTimeNs()).isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void doesNotRecordASpanThatBeganBefore() throws IOException {
        SpanStopwatch watch = new SpanStopwatch("before");
        watch.start();
        recording.start();
        watch.stop();
        assertThat(spans()).isEmpty();
    }

    @Test
    void leavesOutWhatIsBelowTheRecordingsThreshold() throws IOException {
        SpanStopwatch watch = new SpanStopwatch("short");
        recording.enable("threadclock.Span").withThreshold(Duration.ofHours(1));
        recording.start();
        watch.start();
        watch.stop();
        assertThat(spans()).isEmpty();
    }
}
