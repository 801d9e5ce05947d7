// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.AccountUsage;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuSpanTest {
    private static final long WORK_NS = 2_000_000;

    private final Recording recording = new Recording();
    private byte[] kept;

    @TempDir
    private Path folder;

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.canRead()).as(ThreadClock.explanation()).isTrue();
    }

    @AfterEach
    void close() {
        recording.close();
    }

    private List<RecordedEvent> spans() throws IOException {
        return Recorded.events(recording, folder, "threadclock.Span");
    }

    private RecordedEvent span() throws IOException {
        List<RecordedEvent> spans = spans();
        assertThat(spans).hasSize(1);
        return spans.get(0);
    }

    /** Does this work in a span that is recorded. */
    private CpuSpan record(Work work) throws Exception {
        recording.start();
        CpuSpan span = CpuSpan.begin("order.validate");
        work.run();
        span.close();
        return span;
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void burn() {
        Recorded.burn(WORK_NS);
    }

    private static void inThread(Thread thread) throws InterruptedException {
        thread.start();
        thread.join();
    }

    @Test
    void recordsTheFiguresOfItsAccount() throws Exception {
        AccountUsage usage = record(CpuSpanTest::burn).account().read();
        RecordedEvent event = span();
        assertThat(event.getString("name")).isEqualTo("order.validate");
        assertThat(ns(event, "cpuTime")).isEqualTo(usage.cpuTimeNs()).isGreaterThanOrEqualTo(WORK_NS);
        assertThat(ns(event, "userTime")).isEqualTo(usage.userTimeNs());
        assertThat(ns(event, "systemTime")).isEqualTo(usage.systemTimeNs());
        assertThat(ns(event, "wallTime")).isEqualTo(usage.wallTimeNs());
        assertThat(event.getLong("parts")).isEqualTo(1);
        assertThat(event.getLong("unmeasuredParts")).isZero();
        assertThat(event.getLong("partsOfUnknownWaits")).isEqualTo(usage.partsOfUnknownWaits());
        assertThat(event.getLong("threads")).isEqualTo(1);
        assertThat(event.getThread().getJavaName())
                .isEqualTo(Thread.currentThread().getName());
        assertThat(event.getString("traceId")).as("unless it is told").isNull();
        assertThat(event.getString("spanId")).as("unless it is told").isNull();
    }

    @Test
    @Tag("timing")
    void lastsAsLongAsItsWork() throws Exception {
        record(CpuSpanTest::burn);
        assertThat(span().getDuration().toNanos()).as("duration, ns").isGreaterThanOrEqualTo(WORK_NS * 9 / 10);
    }

    private static long ns(RecordedEvent event, String field) {
        return event.getDuration(field).toNanos();
    }

    @Test
    void recordsHowItsThreadsHaveWaited() throws Exception {
        assumeThat(ThreadClock.waits().runDelayNs()).as("run delay, ns").isNotNegative();
        AccountUsage usage = record(() -> Thread.sleep(1)).account().read();
        RecordedEvent event = span();
        assertThat(ns(event, "runDelay")).isEqualTo(usage.runDelayNs());
        assertThat(ns(event, "notRunning")).isEqualTo(usage.notRunningNs());
        assertThat(event.getLong("voluntarySwitches"))
                .isEqualTo(usage.voluntarySwitches())
                .isPositive();
        assertThat(event.getLong("involuntarySwitches")).isEqualTo(usage.involuntarySwitches());
        assertThat(ns(event, "cpuTime") + ns(event, "runDelay") + ns(event, "notRunning"))
                .as("CPU time + run delay + not running, ns")
                .isEqualTo(ns(event, "wallTime"));
    }

    @Test
    void recordsWhatHasBeenAllocated() throws Exception {
        CpuSpan span = record(() -> kept = new byte[1_000_000]);
        assertThat(span().getLong("allocated"))
                .as("bytes")
                .isEqualTo(span.account().read().allocatedBytes())
                .isGreaterThanOrEqualTo(1_000_000);
    }

    @Test
    void addsUpAllThreadsThatTakePart() throws Exception {
        recording.start();
        try (CpuSpan span = CpuSpan.begin("parallel")) {
            Thread other = new Thread(span.account().wrap(CpuSpanTest::burn));
            burn();
            inThread(other);
        }
        RecordedEvent event = span();
        assertThat(ns(event, "cpuTime")).as("CPU ns of two threads").isGreaterThanOrEqualTo(2 * WORK_NS);
        assertThat(event.getLong("parts")).isEqualTo(2);
        assertThat(event.getLong("threads")).isEqualTo(2);
    }

    @Test
    void recordsTheTraceThatItBelongsTo() throws IOException {
        recording.start();
        CpuSpan.begin("traced")
                .trace("0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7")
                .close();
        RecordedEvent event = span();
        assertThat(event.getString("traceId")).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(event.getString("spanId")).isEqualTo("00f067aa0ba902b7");
    }

    /** The annotation came with JDK 25, whose tools know it by its name. */
    @Test
    void marksItsNamesAsTheContextOfOtherEvents() throws Exception {
        record(() -> {});
        assertThat(span().getEventType().getFields())
                .filteredOn(field -> field.getAnnotationElements().stream()
                        .anyMatch(annotation -> annotation.getTypeName().equals("jdk.jfr.Contextual")))
                .extracting(field -> field.getName())
                .containsExactly("name", "traceId", "spanId");
    }

    @Test
    void recordsWhatAMeasuredVirtualThreadHasCost() throws Exception {
        assumeThat(VirtualThreads.areMeasurable())
                .as(VirtualThreads.explanation())
                .isTrue();
        recording.start();
        inThread(VirtualThreads.factory().newThread(() -> {
            CpuSpan span = CpuSpan.begin("virtual");
            burn();
            Thread.yield();
            span.close();
        }));
        RecordedEvent event = span();
        assertThat(ns(event, "cpuTime")).as("CPU ns").isGreaterThanOrEqualTo(WORK_NS);
        assertThat(event.getLong("unmeasuredParts")).isZero();
    }

    @Test
    void recordsAVirtualThreadWithoutAClockAsUnmeasured() throws Exception {
        assumeThat(Runtime.version().feature()).as("Java with virtual threads").isGreaterThanOrEqualTo(21);
        recording.start();
        Runnable work = () -> CpuSpan.begin("unmeasured").close();
        ((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work)).join();
        RecordedEvent event = span();
        assertThat(event.getLong("unmeasuredParts")).isEqualTo(1);
        assertThat(ns(event, "cpuTime")).isZero();
        assertThat(List.of("runDelay", "notRunning", "voluntarySwitches", "involuntarySwitches", "allocated"))
                .as("figures that tools show as N/A")
                .allSatisfy(figure -> assertThat(event.getLong(figure)).isEqualTo(Long.MIN_VALUE));
    }

    @Test
    void isClosedByItsOwnThreadOnlyAndGoesOnOtherwise() throws Exception {
        recording.start();
        CpuSpan span = CpuSpan.begin("refused");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        inThread(new Thread(() -> thrown.set(catchThrowable(span::close))));
        assertThat(thrown.get()).as("what the program is thrown").isNull();
        burn();
        span.close();
        assertThat(ns(span(), "cpuTime")).as("CPU ns").isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void isRecordedOnceIfItIsClosedTwice() throws Exception {
        record(() -> {}).close();
        assertThat(spans()).hasSize(1);
    }

    @Test
    void measuresWithoutARecording() {
        CpuSpan span = CpuSpan.begin("unrecorded");
        burn();
        span.close();
        assertThat(span.account().read().cpuTimeNs()).isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void measuresInARuntimeWithoutAFlightRecorder() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "--limit-modules=java.base",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Slim.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("1 part");
    }

    /** Is the program of that test. */
    static final class Slim {
        private Slim() {}

        public static void main(String[] arguments) {
            CpuSpan span = CpuSpan.begin("slim").trace("1", "2");
            span.close();
            System.out.print(span.account().read().parts() + " part");
        }
    }

    @Test
    void isNotRecordedIfItBeganBefore() throws IOException {
        CpuSpan span = CpuSpan.begin("before");
        recording.start();
        span.close();
        assertThat(spans()).isEmpty();
    }

    @Test
    void closesItsAccount() {
        CpuSpan span = CpuSpan.begin("over");
        span.close();
        span.account().enter().close();
        assertThat(span.account().read().parts()).as("parts").isEqualTo(1);
    }

    @Test
    void isNotRecordedBelowTheRecordingsThreshold() throws Exception {
        recording.enable("threadclock.Span").withThreshold(Duration.ofHours(1));
        record(() -> {});
        assertThat(spans()).isEmpty();
    }
}
