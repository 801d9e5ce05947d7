// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import static io.threadclock.cli.threads.MadeUp.snapshot;
import static io.threadclock.cli.threads.MadeUp.thread;
import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.CpuQuota;
import io.threadclock.cli.process.FakeProc;
import io.threadclock.cli.threads.MadeUp;
import io.threadclock.cli.threads.ProcessEnded;
import io.threadclock.cli.threads.ProcessSilent;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadReader;
import io.threadclock.cli.threads.ThreadSnapshot;
import io.threadclock.recorder.Gap;
import io.threadclock.recorder.RecordingPage;
import io.threadclock.recorder.RecordingReader;
import io.threadclock.recorder.RetentionLimits;
import io.threadclock.recorder.Sample;
import io.threadclock.recorder.Store;
import io.threadclock.recorder.ThreadCount;
import io.threadclock.recorder.Throttling;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The times of snapshots are fake, so that the load of the test's machine does not matter. */
@Timeout(600)
class RecordingTest {
    private static final Duration INTERVAL = Duration.ofMillis(10);
    private static final Duration LONG = Duration.ofHours(1);

    private static final Supplier<CpuQuota> NO_QUOTA = () -> CpuQuota.NONE;

    private final KeptSamples kept = new KeptSamples();
    private Supplier<CpuQuota> quota = NO_QUOTA;

    @Test
    void endsWithTheJvm() throws InterruptedException {
        Recording recording = recording(0, 10, 20, 30);
        recording.run(LONG, () -> {});
        assertThat(kept.samples).hasSize(4);
        assertThat(kept.gaps).isEmpty();
        assertThat(recording.progress().samples()).isEqualTo(4);
        assertThat(recording.progress().end()).isEqualTo("it has ended");
    }

    @Test
    void endsWhenItIsToldTo() throws InterruptedException {
        Recording recording = endless();
        recording.run(LONG, () -> {
            if (kept.samples.size() == 5) {
                recording.stop();
            }
        });
        assertThat(kept.samples).hasSize(5);
    }

    @Test
    void endsAfterItsTime() throws InterruptedException {
        endless().run(Duration.ofSeconds(1), () -> {});
        assertThat(kept.samples).hasSizeBetween(1, 101);
    }

    private Recording endless() {
        long[] ms = {0};
        return new Recording(MadeUp.reader(() -> at(ms[0] += 10)), KeptSamples.JVM, NO_QUOTA, kept, INTERVAL);
    }

    @Test
    void whatIsMissingIsAGap() throws InterruptedException {
        recording(0, 10, 60, 77, 87).run(LONG, () -> {});
        assertThat(kept.gaps).singleElement().satisfies(gap -> {
            assertThat(gap.lostSamples()).isEqualTo(4);
            assertThat(gap.endUs() - gap.beginUs()).isEqualTo(50_000);
        });
    }

    @Test
    void aJvmThatDoesNotAnswerIsAGapOfItsOwn() throws InterruptedException {
        recording(at(0), null, at(10_000)).run(LONG, () -> {});
        assertThat(kept.gaps).extracting(Gap::reason).containsExactly(Gap.Reason.SILENT);
        assertThat(kept.gaps).extracting(Gap::lostSamples).containsExactly(999L);
    }

    @Test
    void theTimeSinceTheRecorderBeforeIsAGap() throws InterruptedException {
        kept.lastUs = OptionalLong.of(MadeUp.BEGIN.getEpochSecond() * 1_000_000 - 5_000_000);
        recording(0, 10).run(LONG, () -> {});
        assertThat(kept.gaps).singleElement().satisfies(gap -> {
            assertThat(gap.reason()).isEqualTo(Gap.Reason.NOT_RECORDED);
            assertThat(gap.endUs() - gap.beginUs()).isEqualTo(5_000_000);
        });
    }

    @Test
    void keepsTheNamesThatWereHeldBackWhenItEnds() throws InterruptedException {
        ThreadSnapshot awaited = MadeUp.awaited(thread(7, 0, "http-nio-8080-e", 0, 0));
        recording(snapshot(10, 1, awaited), snapshot(20, 1, awaited)).run(LONG, () -> {});
        assertThat(kept.samples).flatExtracting(Sample::names).isEmpty();
        assertThat(kept.late).extracting(Sample.ThreadName::name).containsExactly("http-nio-8080-e");
    }

    /** Thread 8 does nothing, 9 ends, and then its tid is another's. */
    @Test
    void tellsAsManyThreadsAsThePageDoes(@TempDir Path directory) throws InterruptedException {
        ThreadSnapshot idle = thread(8, 0, "idle", 0, 0);
        ThreadReader reader = reader(
                snapshot(0, 4, busy(7, 0, 0), idle, thread(9, 0, "idle", 0, 0)),
                snapshot(10, 3, busy(7, 0, 5), idle, busy(9, 0, 5)),
                snapshot(20, 3, busy(7, 0, 9), idle, busy(9, 20_000_000, 5)),
                snapshot(30, 2, busy(7, 0, 9), idle),
                snapshot(40, 3, busy(7, 0, 9), idle, busy(9, 30_000_000, 5)));
        Recording recording;
        try (Store store = Store.open(directory.resolve("data"), RetentionLimits.parse("1g"))) {
            recording = new Recording(reader, KeptSamples.JVM, NO_QUOTA, store, INTERVAL);
            recording.run(LONG, () -> {});
        }
        assertThat(recording.progress().threads()).isEqualTo(new ThreadCount(4, 4));
        try (RecordingReader reading = RecordingReader.open(directory.resolve("data"))) {
            assertThat(new RecordingPage(reading, "").summary())
                    .contains("app.jar (" + recording.progress().threads() + ")");
        }
    }

    @Test
    void keepsTimesInWhichTheQuotaIsUsedUp(@TempDir Path root) throws InterruptedException {
        FakeProc.write(root.resolve("proc/self/mountinfo"), "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
        FakeProc.write(root.resolve("sys/fs/cgroup/cpu.max"), "50000 100000\n");
        int[] looks = {0};
        quota = () -> {
            int look = looks[0]++;
            FakeProc.write(
                    root.resolve("sys/fs/cgroup/cpu.stat"),
                    "nr_periods " + 10 * look + "\nnr_throttled " + look + "\n");
            return CpuQuota.of(root, "0::/\n");
        };
        recording(0, 500, 1000, 2000).run(LONG, () -> {});
        assertThat(kept.throttling).extracting(Throttling::throttledPeriods).containsExactly(1L, 1L);
    }

    @Test
    void isNoFasterThanTheProcessIsReadAndItsBudgetPays() throws InterruptedException {
        Supplier<Snapshot> looks = () -> at(0);
        assertThat(HeldRate.of(MadeUp.reader(looks), 100, () -> 0)).isEqualTo(100);
        assertThat(HeldRate.of(MadeUp.reader(looks, 12 * MadeUp.MS), 100, () -> 0))
                .isEqualTo(75);
        long[] ms = {0};
        assertThat(HeldRate.of(MadeUp.reader(looks), 100, () -> 20 * MadeUp.MS * ms[0]++))
                .isEqualTo(45);
    }

    private static ThreadSnapshot busy(int tid, long startNs, long ms) {
        return thread(tid, startNs, "busy", ms * MadeUp.MS, 0);
    }

    private Recording recording(long... takenMs) {
        return recording(LongStream.of(takenMs).mapToObj(RecordingTest::at).toArray(Snapshot[]::new));
    }

    private Recording recording(Snapshot... snapshots) {
        return new Recording(reader(snapshots), KeptSamples.JVM, quota, kept, INTERVAL);
    }

    /** Null: the JVM does not answer. It ends after the last snapshot. */
    private static ThreadReader reader(Snapshot... snapshots) {
        Iterator<Snapshot> left = Arrays.asList(snapshots).iterator();
        return MadeUp.reader(() -> {
            if (!left.hasNext()) {
                throw new ProcessEnded("it has ended");
            }
            return Optional.ofNullable(left.next())
                    .orElseThrow(() -> new ProcessSilent("it has not answered for 10 s"));
        });
    }

    private static Snapshot at(long ms) {
        return snapshot(ms, 1, thread(7, 0, "a", ms * MadeUp.MS / 2, 0));
    }
}
