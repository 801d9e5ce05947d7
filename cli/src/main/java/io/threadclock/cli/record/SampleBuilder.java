// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import io.threadclock.PoolName;
import io.threadclock.cli.process.Bounds;
import io.threadclock.cli.threads.ProcessSnapshot;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadSnapshot;
import io.threadclock.cli.threads.VirtualPool;
import io.threadclock.recorder.JvmName;
import io.threadclock.recorder.Sample;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Builds samples from consecutive snapshots. The first one has no times, because it is unknown when they were used. A
 * name is told once it is complete, again when the kind changes, because carriers are recognized late, and again when
 * an hour begins, because each hour is kept, and deleted, by itself.
 */
final class SampleBuilder {
    private static final long TICK_NS = 10_000_000;
    /** The number of bits of a tid. */
    private static final int TID_BITS = 22;

    private final JvmName jvm;
    /** For each tid, the time since when its name has been held back, because it may change soon. */
    private final Map<Integer, Long> heldSinceNs = new HashMap<>();

    /** For each tid of a living thread that has used CPU time, the thread's key. */
    private final Map<Integer, Long> used = new HashMap<>();

    private int usedCount;
    private Map<Integer, ThreadSnapshot> last = Map.of();
    private Snapshot lastSnapshot;

    SampleBuilder(JvmName jvm) {
        this.jvm = jvm;
    }

    Sample take(Snapshot snapshot) {
        List<Sample.ThreadTimes> times = new ArrayList<>();
        List<Sample.ThreadName> names = new ArrayList<>();
        Map<Integer, ThreadSnapshot> next = new HashMap<>();
        boolean isNewHour = lastSnapshot == null || !hour(snapshot).equals(hour(lastSnapshot));
        for (ThreadSnapshot thread : snapshot.threads()) {
            ThreadSnapshot before = last.get(thread.tid());
            boolean isSame = before != null && before.isSameThread(thread);
            if (before != null && !isSame) {
                tellHeld(before, names);
            }
            boolean isNews = isNewHour || !isSame || !isNamedAlike(before, thread);
            addName(snapshot, thread, isNews, names);
            addTimes(snapshot, thread, isSame ? before : null, times);
            next.put(thread.tid(), thread);
        }
        last.values().stream().filter(thread -> !next.containsKey(thread.tid())).forEach(gone -> tellHeld(gone, names));
        Sample sample = sample(snapshot, times, names);
        if (snapshot.isComplete() || used.size() > Bounds.VIEW_THREADS) {
            used.keySet().retainAll(next.keySet());
        }
        last = next;
        lastSnapshot = snapshot;
        return sample;
    }

    /** The number of threads that have had times in any sample. */
    int threadsThatUsedCpu() {
        return usedCount;
    }

    private static boolean isNamedAlike(ThreadSnapshot before, ThreadSnapshot now) {
        return before.name().equals(now.name()) && before.javaId() == now.javaId() && before.kind() == now.kind();
    }

    private void addName(Snapshot snapshot, ThreadSnapshot thread, boolean isNews, List<Sample.ThreadName> names) {
        if (isNews) {
            heldSinceNs.putIfAbsent(thread.tid(), snapshot.takenNs());
        }
        Long sinceNs = heldSinceNs.get(thread.tid());
        if (sinceNs != null
                && !(thread.isNameAwaited() && snapshot.takenNs() - sinceNs < ThreadSnapshot.LONGEST_NAME_WAIT_NS)) {
            tellHeld(thread, names);
        }
    }

    private void tellHeld(ThreadSnapshot thread, List<Sample.ThreadName> names) {
        if (heldSinceNs.remove(thread.tid()) != null) {
            names.add(name(thread));
        }
    }

    /** The names that are still held back; call this if there will be no other snapshot. */
    List<Sample.ThreadName> rest() {
        List<Sample.ThreadName> names = new ArrayList<>();
        last.values().forEach(thread -> tellHeld(thread, names));
        return names;
    }

    /** A thread that was not there before has started since, unless the snapshot before was incomplete. */
    private void addTimes(
            Snapshot snapshot, ThreadSnapshot now, ThreadSnapshot before, List<Sample.ThreadTimes> times) {
        boolean isKnownWhole = before != null || (lastSnapshot != null && lastSnapshot.isComplete());
        long userNs = now.userNs() - (before == null ? 0 : before.userNs());
        long systemNs = now.systemNs() - (before == null ? 0 : before.systemNs());
        if (isKnownWhole && (userNs > 0 || systemNs > 0)) {
            long elapsedNs =
                    before == null ? snapshot.takenNs() - lastSnapshot.takenNs() : now.readNs() - before.readNs();
            int elapsedUs = (int) Math.min(Integer.MAX_VALUE, Math.max(1, TimeUnit.NANOSECONDS.toMicros(elapsedNs)));
            times.add(new Sample.ThreadTimes(
                    key(now), elapsedUs, Math.max(0, userNs), Math.max(0, systemNs), waitingNs(before, now)));
            if (!Objects.equals(used.put(now.tid(), key(now)), key(now))) {
                usedCount++;
            }
        }
    }

    /** @param before null: it has started since, and has not waited before */
    private static long waitingNs(ThreadSnapshot before, ThreadSnapshot now) {
        if (now.sched() == null || (before != null && before.sched() == null)) {
            return Sample.ThreadTimes.UNKNOWN;
        }
        return Math.max(
                0, now.sched().delayNs() - (before == null ? 0 : before.sched().delayNs()));
    }

    private Sample sample(Snapshot snapshot, List<Sample.ThreadTimes> times, List<Sample.ThreadName> names) {
        Snapshot before = lastSnapshot == null ? snapshot : lastSnapshot;
        return new Sample(
                jvm,
                ChronoUnit.MICROS.between(Instant.EPOCH, snapshot.wall()),
                TimeUnit.NANOSECONDS.toMicros(snapshot.takenNs() - before.takenNs()),
                snapshot.threadCount(),
                whole(before.process(), snapshot.process()),
                Math.max(0, snapshot.ownCpuNs() - before.ownCpuNs()),
                times,
                names,
                pools(before, snapshot));
    }

    /** A pool that is new has used its time since the snapshot before. */
    private static List<Sample.PoolTimes> pools(Snapshot before, Snapshot now) {
        Map<Integer, VirtualPool> then = new HashMap<>();
        before.virtualPools().forEach(pool -> then.put(pool.number(), pool));
        return now.virtualPools().stream()
                .filter(pool -> !pool.equals(then.get(pool.number())))
                .map(pool -> times(then.getOrDefault(pool.number(), pool.atBegin()), pool))
                .toList();
    }

    private static Sample.PoolTimes times(VirtualPool before, VirtualPool now) {
        return new Sample.PoolTimes(
                now.isRest() ? Sample.PoolTimes.REST : now.number(),
                now.name(),
                now.threads(),
                Math.max(0, now.mounts() - before.mounts()),
                Math.max(0, now.userNs() - before.userNs()),
                Math.max(0, now.systemNs() - before.systemNs()));
    }

    private static Sample.Whole whole(ProcessSnapshot before, ProcessSnapshot now) {
        return new Sample.Whole(
                TimeUnit.NANOSECONDS.toMicros(now.readNs() - before.readNs()),
                Math.max(0, now.userNs() - before.userNs()),
                Math.max(0, now.systemNs() - before.systemNs()));
    }

    private static Instant hour(Snapshot snapshot) {
        return snapshot.wall().truncatedTo(ChronoUnit.HOURS);
    }

    private static Sample.ThreadName name(ThreadSnapshot thread) {
        return new Sample.ThreadName(
                key(thread),
                thread.tid(),
                thread.javaId(),
                thread.name(),
                PoolName.of(thread.name()),
                thread.kind().toString());
    }

    private static long key(ThreadSnapshot thread) {
        return thread.startNs() / TICK_NS << TID_BITS | thread.tid();
    }
}
