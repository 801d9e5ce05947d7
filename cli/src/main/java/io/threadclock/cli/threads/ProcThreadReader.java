// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import io.threadclock.cli.attach.SourceNames;
import io.threadclock.cli.process.ProcessFiles;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads the threads of a process from {@code /proc}, and puts nothing into it. This is coarser: user and system time
 * move in steps of 10 ms, names end after 15 bytes, and Java thread ids are not known. A snapshot costs its reader some
 * 20 µs a thread.
 */
public final class ProcThreadReader implements ThreadReader {
    private final ProcessFiles files;
    private final long startTicks;

    /** The last snapshot of each tid. */
    private Map<Integer, ThreadSnapshot> told = Map.of();

    /** @throws ProcessEnded if there is no such process */
    public ProcThreadReader(ProcessFiles files) {
        this.files = files;
        startTicks =
                TaskStat.ofProcess(files).orElseThrow(ProcThreadReader::ended).startTicks();
    }

    @Override
    public String coarseness() {
        return "from /proc: steps of 10 ms, names cut";
    }

    @Override
    public Snapshot snapshot() {
        TaskStat process = TaskStat.ofProcess(files)
                .filter(stat -> stat.startTicks() == startTicks && stat.state() != 'Z' && stat.state() != 'X')
                .orElseThrow(ProcThreadReader::ended);
        long takenNs = System.nanoTime();
        Instant wall = Instant.now();
        List<Integer> tids = files.tids();
        List<ThreadSnapshot> threads = new ArrayList<>(tids.size());
        tids.forEach(tid -> snapshot(tid).map(this::afterTheLast).ifPresent(threads::add));
        told = threads.stream()
                .collect(Collectors.toMap(ThreadSnapshot::tid, Function.identity(), (one, again) -> again));
        ProcessSnapshot whole = new ProcessSnapshot(
                process.ticks() * TaskStat.NS_PER_TICK, process.utimeTicks() * TaskStat.NS_PER_TICK, takenNs);
        return new Snapshot(takenNs, wall, whole, threads, threads.size(), SourceNames.PROC, 0, List.of());
    }

    private Optional<ThreadSnapshot> snapshot(int tid) {
        return TaskStat.ofThread(files, tid).map(stat -> {
            long readNs = System.nanoTime();
            Optional<SchedStat> sched = SchedStat.ofThread(files, tid);
            long cpuNs = sched.map(SchedStat::cpuNs).orElse(stat.ticks() * TaskStat.NS_PER_TICK);
            return new ThreadSnapshot(
                    tid,
                    stat.startTicks() * TaskStat.NS_PER_TICK,
                    0,
                    stat.name(),
                    ThreadKind.of(stat.name(), true),
                    cpuNs,
                    stat.userNsOf(cpuNs),
                    readNs,
                    false,
                    sched.orElse(null));
        });
    }

    /** The kernel divides all CPU time of the thread again at each tick. This keeps both parts from falling. */
    private ThreadSnapshot afterTheLast(ThreadSnapshot now) {
        ThreadSnapshot last = told.get(now.tid());
        if (last == null || !last.isSameThread(now)) {
            return now;
        }
        long cpuNs = Math.max(now.cpuNs(), last.cpuNs());
        long userNs = Math.min(Math.max(now.userNs(), last.userNs()), last.userNs() + (cpuNs - last.cpuNs()));
        return now.withTimes(cpuNs, userNs);
    }

    private static ProcessEnded ended() {
        return new ProcessEnded("it has ended");
    }
}
