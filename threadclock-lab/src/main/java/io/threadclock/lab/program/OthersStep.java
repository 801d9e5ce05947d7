// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import com.sun.management.ThreadMXBean;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.lab.program.Breaches.Breach;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Readings of other threads that live: by id, by array, by snapshot. */
final class OthersStep implements SoakProgram.Step {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** Without this pause, the readers would leave too little of few CPUs to the threads that they read. */
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private final Breaches breaches;
    private final List<ObservedThread> targets;
    private final Way way;

    OthersStep(Breaches breaches, List<ObservedThread> targets, Way way) {
        this.breaches = breaches;
        this.targets = targets;
        this.way = way;
    }

    @Override
    public void take() {
        if (targets.stream().allMatch(target -> target.thread() != null)) {
            List<ObservedThread.Floor> floors =
                    targets.stream().map(ObservedThread::floor).toList();
            switch (way) {
                case BY_ID -> readById(floors);
                case BY_ARRAY -> readByArray(floors);
                case BY_SNAPSHOT -> readBySnapshot(floors);
            }
        }
        LockSupport.parkNanos(PAUSE_NS);
    }

    private void readById(List<ObservedThread.Floor> floors) {
        for (int i = 0; i < targets.size(); i++) {
            long era = SoakProgram.Era.now();
            long id = targets.get(i).thread().getId();
            long userNs = THREADS.getThreadUserTime(id);
            judge(i, floors, era, userNs, THREADS.getThreadCpuTime(id));
        }
    }

    private void readByArray(List<ObservedThread.Floor> floors) {
        long era = SoakProgram.Era.now();
        long[] ids =
                targets.stream().mapToLong(target -> target.thread().getId()).toArray();
        long[] userNs = THREADS.getThreadUserTime(ids);
        long[] cpuNs = THREADS.getThreadCpuTime(ids);
        for (int i = 0; i < ids.length; i++) {
            judge(i, floors, era, userNs[i], cpuNs[i]);
        }
    }

    /** The library's clock is threadclock's in every era. */
    private void readBySnapshot(List<ObservedThread.Floor> floors) {
        ThreadsSnapshot times = ThreadsSnapshot.take();
        for (int i = 0; i < targets.size(); i++) {
            breaches.reading();
            Optional<ThreadSample> sample = times.thread(targets.get(i).thread().getId());
            if (sample.isEmpty()) {
                breaches.add(Breach.WRONG_ANSWER, "no live thread in a snapshot");
                continue;
            }
            long cpuNs = sample.get().cpuTimeNs();
            long userNs = sample.get().userTimeNs();
            long sumNs = userNs + sample.get().systemTimeNs();
            breaches.check(sumNs != cpuNs, Breach.NO_SUM, "snapshot", sumNs - cpuNs);
            targets.get(i).show(floors.get(i), cpuNs, userNs, "snapshot");
        }
    }

    private void judge(int i, List<ObservedThread.Floor> floors, long era, long userNs, long cpuNs) {
        breaches.reading();
        breaches.check(
                userNs < 0 || cpuNs < 0, Breach.WRONG_ANSWER, way + " of a live thread", Math.min(userNs, cpuNs));
        if (SoakProgram.Era.isOfThreadclock(era) && SoakProgram.Era.now() == era) {
            breaches.check(userNs > cpuNs, Breach.USER_ABOVE_CPU, way.toString(), userNs - cpuNs);
            targets.get(i).show(floors.get(i), cpuNs, userNs, way.toString());
        }
    }

    enum Way {
        BY_ID,
        BY_ARRAY,
        BY_SNAPSHOT
    }
}
