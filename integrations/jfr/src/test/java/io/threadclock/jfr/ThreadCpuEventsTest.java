// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.JvmCpuTimes;
import io.threadclock.JvmThreadKind;
import io.threadclock.ThreadClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadCpuEventsTest {
    private static final String TYPE = "threadclock.ThreadCpu";
    private static final String JVM = "threadclock.JvmCpu";
    private static final long WORK_NS = 50_000_000;

    @TempDir
    private Path folder;

    private ThreadCpuEvents events;

    @BeforeEach
    void register() {
        assumeThat(ThreadClock.canRead()).as(ThreadClock.explanation()).isTrue();
        events = ThreadCpuEvents.register();
    }

    @AfterEach
    void close() {
        if (events != null) {
            events.close();
        }
    }

    /**
     * A recording with one event at the beginning of a chunk and one at its end, so that the interval is the recording.
     */
    private static Recording ofOneInterval() {
        Recording recording = new Recording();
        recording.enable(TYPE).with("period", "everyChunk");
        return recording;
    }

    private List<RecordedEvent> ofThisThread(Recording recording) throws IOException {
        return Recorded.events(recording, folder, TYPE).stream()
                .filter(event -> event.getThread("thread").getJavaThreadId()
                        == Thread.currentThread().getId())
                .toList();
    }

    private static long cpuNs(RecordedEvent event) {
        return event.getDuration("userTime")
                .plus(event.getDuration("systemTime"))
                .toNanos();
    }

    @Test
    void tellWhatAThreadHasCostWhileItWasRecorded() throws IOException {
        try (Recording recording = ofOneInterval()) {
            long beginNs = ThreadClock.cpuTimeNs();
            recording.start();
            Recorded.burn(WORK_NS);
            List<RecordedEvent> own = ofThisThread(recording);
            assertThat(own).as("events of this thread").hasSize(1);
            assertThat(cpuNs(own.get(0))).as("CPU ns").isBetween(WORK_NS, ThreadClock.cpuTimeNs() - beginNs);
            long wallNs = own.get(0).getDuration("wallTime").toNanos();
            assertThat(wallNs).as("wall ns").isPositive();
            assertThat(own.get(0).getFloat("usage")).as("usage").isEqualTo((float)
                    ((double) cpuNs(own.get(0)) / wallNs));
        }
    }

    /**
     * The figures may be a second old, so the recording goes on until they have changed since it began. Some collectors
     * collect in the VM thread.
     */
    @Test
    @Tag("timing")
    void tellWhatTheJvmsOwnThreadsHaveCost() throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable(JVM).with("period", "everyChunk");
            JvmCpuTimes earlier = JvmCpuTimes.read();
            assumeThat(earlier.cpuTimeNs(JvmThreadKind.VM)).as("known times").isNotEqualTo(JvmCpuTimes.UNKNOWN);
            recording.start();
            JvmCpuTimes before = JvmCpuTimes.read();
            JvmCpuTimes after = before;
            while (gcAndVmNs(before, after) == 0) {
                System.gc();
                after = JvmCpuTimes.read();
            }
            List<RecordedEvent> events = Recorded.events(recording, folder, JVM);
            assertThat(events).as("events").hasSize(1);
            Duration gcTime = events.get(0).getDuration("gcTime");
            Duration vmTime = events.get(0).getDuration("vmTime");
            assertThat(gcTime.plus(vmTime).toNanos())
                    .as("ns of GC and VM")
                    .isBetween(gcAndVmNs(before, after), gcAndVmNs(earlier, laterThan(after)));
            assertThat(gcTime).isBetween(Duration.ZERO, Duration.ofHours(1));
            assertThat(events.get(0).getDuration("jitTime")).isBetween(Duration.ZERO, Duration.ofHours(1));
            assertThat(vmTime).isBetween(Duration.ZERO, Duration.ofHours(1));
        }
    }

    private static long gcAndVmNs(JvmCpuTimes from, JvmCpuTimes to) {
        return gcAndVmNs(to) - gcAndVmNs(from);
    }

    private static long gcAndVmNs(JvmCpuTimes times) {
        return times.cpuTimeNs(JvmThreadKind.GC) + times.cpuTimeNs(JvmThreadKind.VM);
    }

    private static JvmCpuTimes laterThan(JvmCpuTimes then) {
        JvmCpuTimes now = JvmCpuTimes.read();
        while (now == then) {
            now = JvmCpuTimes.read();
        }
        return now;
    }

    @Test
    void tellNothingOfTheTimeBetweenRecordings() throws IOException {
        try (Recording first = ofOneInterval()) {
            first.start();
        }
        Recorded.burn(WORK_NS);
        try (Recording second = ofOneInterval()) {
            long beginNs = ThreadClock.cpuTimeNs();
            second.start();
            Recorded.burn(WORK_NS);
            assertThat(ofThisThread(second)).isNotEmpty().allSatisfy(event -> assertThat(cpuNs(event))
                    .as("CPU ns of an event, without those before")
                    .isBetween(0L, ThreadClock.cpuTimeNs() - beginNs));
        }
    }

    @Test
    void leaveOutThreadsThatHaveNotRun() throws IOException {
        CompletableFuture<Void> end = new CompletableFuture<>();
        CompletableFuture<Path> task = new CompletableFuture<>();
        Runnable nothing = () -> {
            task.complete(ownTask());
            end.join();
        };
        Thread idle = new Thread(nothing, "idle");
        idle.start();
        while (idle.getState() != Thread.State.WAITING || !isAsleep(task.join())) {
            Thread.yield();
        }
        try (Recording recording = ofOneInterval()) {
            recording.start();
            Recorded.burn(WORK_NS);
            assertThat(Recorded.events(recording, folder, TYPE))
                    .isNotEmpty()
                    .noneMatch(event -> event.getThread("thread").getJavaName().equals("idle"));
        } finally {
            end.complete(null);
        }
    }

    private static Path ownTask() {
        try {
            return Path.of("/proc").resolve(Files.readSymbolicLink(Path.of("/proc/thread-self")));
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** A thread that waits according to the JVM may still be on its way there. */
    private static boolean isAsleep(Path task) throws IOException {
        String stat = Files.readString(task.resolve("stat"));
        return stat.startsWith(") S", stat.lastIndexOf(')'));
    }

    @Test
    void comeAsOftenAsTheRecordingAsksFor() throws InterruptedException {
        CountDownLatch threeEvents = new CountDownLatch(3);
        Thread worker = new Thread(() -> {
            while (threeEvents.getCount() > 0 && !Thread.interrupted()) {
                Recorded.burn(1_000_000);
            }
        });
        try (RecordingStream stream = new RecordingStream()) {
            stream.enable(TYPE).withPeriod(Duration.ofMillis(20));
            stream.onEvent(TYPE, event -> {
                if (event.getThread("thread").getJavaThreadId() == worker.getId()) {
                    threeEvents.countDown();
                }
            });
            stream.startAsync();
            worker.start();
            boolean came = threeEvents.await(2, TimeUnit.MINUTES);
            worker.interrupt();
            worker.join();
            assertThat(came).as("three events of one thread within 2 minutes").isTrue();
        }
    }

    @Test
    void endWithTheRegistration() throws IOException {
        try (Recording recording = ofOneInterval()) {
            events.close();
            recording.start();
            Recorded.burn(WORK_NS);
            assertThat(ofThisThread(recording)).isEmpty();
        }
    }
}
