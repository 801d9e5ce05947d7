// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A JVM that does not exist: its threads, and what a look at them shows. */
public final class MadeUp {
    public static final long S = 1_000_000_000;
    public static final long MS = 1_000_000;
    public static final Instant BEGIN = Instant.parse("2026-01-01T10:00:00Z");

    private MadeUp() {}

    public static ThreadSnapshot thread(int tid, String name, long cpuNs, long userNs, long readNs) {
        return new ThreadSnapshot(tid, 5, tid + 100, name, ThreadKind.of(name, true), cpuNs, userNs, readNs);
    }

    /** A thread that is read when all are read. */
    public static ThreadSnapshot thread(int tid, long startNs, String name, long userNs, long systemNs) {
        return new ThreadSnapshot(tid, startNs, tid, name, ThreadKind.of(name, true), userNs + systemNs, userNs, 0);
    }

    /** The same thread, which has waited for that long, and was switched in so often. */
    public static ThreadSnapshot waited(long delayNs, long timeslices, ThreadSnapshot its) {
        return its.withSched(new SchedStat(its.cpuNs(), delayNs, timeslices));
    }

    /** The same thread, while the JVM is being asked for its name. */
    public static ThreadSnapshot awaited(ThreadSnapshot its) {
        return copy(its, its.readNs(), true);
    }

    public static ThreadSnapshot readAt(long readMs, ThreadSnapshot its) {
        return copy(its, readMs * MS, its.isNameAwaited());
    }

    private static ThreadSnapshot copy(ThreadSnapshot its, long readNs, boolean isNameAwaited) {
        return new ThreadSnapshot(
                its.tid(),
                its.startNs(),
                its.javaId(),
                its.name(),
                its.kind(),
                its.cpuNs(),
                its.userNs(),
                readNs,
                isNameAwaited,
                its.sched());
    }

    public static VirtualPool pool(int number, String name, long cpuNs, long mounts) {
        VirtualPool.Kind kind = number == 0 ? VirtualPool.Kind.REST : VirtualPool.Kind.NAMED;
        return new VirtualPool(number, kind, name, cpuNs, cpuNs / 2, mounts, 3);
    }

    /** The process has used half of the time, half of that in user mode. */
    public static Snapshot snapshot(long takenNs, ThreadSnapshot... threads) {
        return snapshot(takenNs, List.of(threads), List.of());
    }

    public static Snapshot snapshot(long takenNs, List<VirtualPool> pools) {
        return snapshot(takenNs, List.of(), pools);
    }

    private static Snapshot snapshot(long takenNs, List<ThreadSnapshot> threads, List<VirtualPool> pools) {
        return new Snapshot(
                takenNs,
                Instant.EPOCH.plusNanos(takenNs),
                new ProcessSnapshot(takenNs / 2, takenNs / 4, takenNs),
                threads,
                threads.size(),
                "rseq",
                takenNs / 1000,
                pools);
    }

    /** The process has used what the threads have. */
    public static Snapshot snapshot(long takenMs, int threadCount, ThreadSnapshot... threads) {
        long cpuNs = Stream.of(threads).mapToLong(ThreadSnapshot::cpuNs).sum();
        long userNs = Stream.of(threads).mapToLong(ThreadSnapshot::userNs).sum();
        return new Snapshot(
                takenMs * MS,
                BEGIN.plusMillis(takenMs),
                new ProcessSnapshot(cpuNs, userNs, takenMs * MS),
                Stream.of(threads)
                        .map(thread -> thread.readNs() == 0 ? readAt(takenMs, thread) : thread)
                        .toList(),
                threadCount,
                "rseq",
                takenMs,
                List.of());
    }

    public static ThreadReader reader(Supplier<Snapshot> looks) {
        return looks::get;
    }

    public static ThreadReader reader(Supplier<Snapshot> looks, long periodNs) {
        return new ThreadReader() {
            @Override
            public Snapshot snapshot() {
                return looks.get();
            }

            @Override
            public long periodNs() {
                return periodNs;
            }
        };
    }

    /** Lists these stacks, counts searches for carriers, and numbers the readings of waits. */
    record Jvm(String stacks, AtomicInteger searches, AtomicInteger readings) implements JvmRequests {
        Jvm(String stacks) {
            this(stacks, new AtomicInteger(), new AtomicInteger());
        }

        @Override
        public boolean hasEnded() {
            return false;
        }

        @Override
        public Optional<SchedStat> schedStat(int tid) {
            return Optional.of(new SchedStat(10, 2, readings.incrementAndGet()));
        }

        @Override
        public void findCarriers() {
            searches.incrementAndGet();
        }
    }
}
