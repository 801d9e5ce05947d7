// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import io.threadclock.cli.threads.ProcessSnapshot;
import io.threadclock.cli.threads.SchedStat;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadKind;
import io.threadclock.cli.threads.ThreadReader;
import io.threadclock.cli.threads.ThreadSnapshot;
import io.threadclock.recorder.Gap;
import io.threadclock.recorder.JvmName;
import io.threadclock.recorder.Sample;
import io.threadclock.recorder.SampleSink;
import io.threadclock.recorder.StoreFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A fake JVM, and a sink that keeps what it is given in a list. */
final class MadeUp {
    static final JvmName JVM = new JvmName("host", "app.jar", 4711, 100);
    static final long MS = 1_000_000;
    static final Instant BEGIN = Instant.parse("2026-01-01T10:00:00Z");

    private MadeUp() {}

    static ThreadSnapshot thread(int tid, long startNs, String name, long userNs, long systemNs) {
        return new ThreadSnapshot(tid, startNs, tid, name, ThreadKind.of(name, true), userNs + systemNs, userNs, 0);
    }

    /** A thread that has waited for that long. */
    static ThreadSnapshot waited(long delayNs, ThreadSnapshot its) {
        return new ThreadSnapshot(
                its.tid(),
                its.startNs(),
                its.javaId(),
                its.name(),
                its.kind(),
                its.cpuNs(),
                its.userNs(),
                its.readNs(),
                its.isNameAwaited(),
                new SchedStat(its.cpuNs(), delayNs, 1));
    }

    /** Threads without another time are read when all are read. */
    static ThreadSnapshot readAt(long readMs, ThreadSnapshot its) {
        return new ThreadSnapshot(
                its.tid(),
                its.startNs(),
                its.javaId(),
                its.name(),
                its.kind(),
                its.cpuNs(),
                its.userNs(),
                readMs * MS,
                its.isNameAwaited(),
                its.sched());
    }

    /** The same thread, while the JVM is being asked for its name. */
    static ThreadSnapshot awaited(ThreadSnapshot its) {
        return new ThreadSnapshot(
                its.tid(),
                its.startNs(),
                its.javaId(),
                its.name(),
                its.kind(),
                its.cpuNs(),
                its.userNs(),
                its.readNs(),
                true,
                its.sched());
    }

    static Snapshot snapshot(long takenMs, int threadCount, ThreadSnapshot... threads) {
        long userNs =
                List.of(threads).stream().mapToLong(ThreadSnapshot::userNs).sum();
        long systemNs =
                List.of(threads).stream().mapToLong(ThreadSnapshot::systemNs).sum();
        return new Snapshot(
                takenMs * MS,
                BEGIN.plusMillis(takenMs),
                new ProcessSnapshot(userNs + systemNs, userNs, takenMs * MS),
                Stream.of(threads)
                        .map(thread -> thread.readNs() == 0 ? readAt(takenMs, thread) : thread)
                        .toList(),
                threadCount,
                "rseq",
                takenMs,
                List.of());
    }

    static ThreadReader reader(Supplier<Snapshot> looks) {
        return new ThreadReader() {
            @Override
            public Snapshot snapshot() {
                return looks.get();
            }

            @Override
            public String coarseness() {
                return "";
            }

            @Override
            public void close() {}
        };
    }

    /** A sink that keeps what was put into it. */
    static final class Kept implements SampleSink {
        final List<Sample> samples = new ArrayList<>();
        final List<Gap> gaps = new ArrayList<>();
        final List<Sample.ThreadName> late = new ArrayList<>();
        OptionalLong lastUs = OptionalLong.empty();
        String trouble = "";
        long lost;

        @Override
        public OptionalLong lastSampleUs(JvmName jvm) {
            return lastUs;
        }

        @Override
        public void put(Sample sample) {
            samples.add(sample);
        }

        @Override
        public void put(Gap gap) {
            gaps.add(gap);
        }

        @Override
        public void put(JvmName jvm, long wallUs, List<Sample.ThreadName> names) {
            late.addAll(names);
        }

        @Override
        public String status() {
            return samples.size() + " kept";
        }

        @Override
        public String trouble() {
            return trouble;
        }

        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public long lostSamples() {
            return lost;
        }

        @Override
        public Optional<StoreFailure> loss() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }
}
