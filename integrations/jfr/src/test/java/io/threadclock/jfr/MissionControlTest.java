// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.ThreadClock;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmc.common.item.IAccessorKey;
import org.openjdk.jmc.common.item.IItem;
import org.openjdk.jmc.common.unit.IQuantity;
import org.openjdk.jmc.common.unit.UnitLookup;
import org.openjdk.jmc.flightrecorder.internal.EventArray;
import org.openjdk.jmc.flightrecorder.internal.FlightRecordingLoader;

/** Tests how JDK Mission Control shows the events, with the parser by which it reads recordings. */
class MissionControlTest {
    private static final long WORK_NS = 20_000_000;

    @TempDir
    private static Path folder;

    private static List<EventArray> recorded = List.of();
    private static long spanUserNs;

    @BeforeAll
    static void record() throws Exception {
        if (!ThreadClock.isSupported()) {
            return;
        }
        ThreadCpuEvents events = ThreadCpuEvents.register();
        try (Recording recording = new Recording()) {
            recording.enable("threadclock.ThreadCpu").with("period", "everyChunk");
            recording.start();
            CpuSpan span = CpuSpan.begin("order.validate");
            Recorded.burn(WORK_NS);
            span.close();
            spanUserNs = span.account().read().userTimeNs();
            try (InputStream file = Files.newInputStream(Recorded.file(recording, folder))) {
                recorded = List.of(
                        FlightRecordingLoader.loadStream(file, false, true).getArrays());
            }
        } finally {
            events.close();
        }
    }

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
    }

    private static EventArray events(String type) {
        return recorded.stream()
                .filter(events -> events.getType().getIdentifier().equals(type))
                .findFirst()
                .orElseThrow(() -> new AssertionError(type + " is not in the recording"));
    }

    /** Labels, with the content types that make it show milliseconds, percents and threads instead of numbers. */
    private static List<String> columns(EventArray events) {
        return events.getType().getAccessorKeys().entrySet().stream()
                .map(column -> column.getValue().getName() + ": "
                        + column.getKey().getContentType().getIdentifier())
                .toList();
    }

    private static long ns(EventArray events, IItem item, String identifier) {
        IAccessorKey<?> column = events.getType().getAccessorKeys().keySet().stream()
                .filter(key -> key.getIdentifier().equals(identifier))
                .findFirst()
                .orElseThrow();
        Object quantity = events.getType().getAccessor(column).getMember(item);
        return ((IQuantity) quantity).clampedLongValueIn(UnitLookup.NANOSECOND);
    }

    @Test
    void showsWhatThreadsCostInTheirUnits() {
        EventArray events = events("threadclock.ThreadCpu");
        assertThat(events.getTypeCategory()).containsExactly("threadclock");
        assertThat(events.getType().getName()).isEqualTo("Thread CPU Time");
        assertThat(columns(events))
                .contains(
                        "Thread: thread",
                        "User Time: timespan",
                        "System Time: timespan",
                        "Wall Time: timespan",
                        "CPU Usage: percentage");
        long mostNs = Arrays.stream(events.getEvents())
                .mapToLong(item -> ns(events, item, "userTime") + ns(events, item, "systemTime"))
                .max()
                .orElseThrow();
        assertThat(mostNs).as("CPU ns of the thread that worked most").isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void showsSpansInTheirUnits() {
        EventArray events = events("threadclock.Span");
        assertThat(events.getTypeCategory()).containsExactly("threadclock");
        assertThat(events.getType().getName()).isEqualTo("Span");
        assertThat(columns(events))
                .contains(
                        "Name: text",
                        "Trace Id: text",
                        "Span Id: text",
                        "CPU Time: timespan",
                        "User Time: timespan",
                        "System Time: timespan",
                        "Run Delay: timespan",
                        "Not Running: timespan",
                        "Wall Time: timespan",
                        "Allocated: memory",
                        "Parts: raw number",
                        "Unmeasured Parts: raw number",
                        "Threads: raw number",
                        "Duration: timespan",
                        "Event Thread: thread");
        assertThat(events.getEvents()).hasSize(1);
        assertThat(ns(events, events.getEvents()[0], "userTime")).isEqualTo(spanUserNs);
    }
}
