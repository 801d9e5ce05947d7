// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadsSnapshot;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Threads that have worked a little, and now wait, are read by others twice: at once, which is when the agent finds
 * them, and later. The agent may be attached at the gate "begin", when there are so many threads that it takes its time
 * to look for more.
 */
public final class FirstFigureProbe {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int PARKED = 2_000;
    private static final int ROUNDS = 9;
    private static final int WAITING = 3;
    private static final long WORK_MS = 3;
    private static final long SETTLING_MS = 1;
    private static final long LATER_MS = 100;

    private int compared;
    private int moved;
    private long mostNs;

    private FirstFigureProbe() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        FirstFigureProbe probe = new FirstFigureProbe();
        ManyParked others = new ManyParked(PARKED);
        Gate.await("begin");
        for (int round = 0; round < ROUNDS; round++) {
            probe.compare(Way.values()[round % Way.values().length]);
        }
        others.close();
        Fact.print("compared", probe.compared);
        Fact.print("moved", probe.moved);
        Fact.print("mostNs", probe.mostNs);
    }

    private void compare(Way way) throws InterruptedException {
        List<Watched> watched = new ArrayList<>();
        for (int i = 0; i < WAITING; i++) {
            watched.add(new Watched(way));
        }
        Thread.sleep(LATER_MS);
        for (Watched each : watched) {
            note(each, each.stepNs());
            each.thread.close();
        }
    }

    /** A thread that has used no CPU time in between has used no user time. */
    private void note(Watched each, long stepNs) {
        if (THREADS.getThreadCpuTime(each.thread.id()) == each.cpuNs) {
            compared++;
            moved += stepNs == 0 ? 0 : 1;
            mostNs = Math.max(mostNs, Math.abs(stepNs));
        }
    }

    private enum Way {
        BY_ID {
            @Override
            long userNs(long id) {
                return THREADS.getThreadUserTime(id);
            }
        },
        BY_ARRAY {
            @Override
            long userNs(long id) {
                return THREADS.getThreadUserTime(new long[] {id, id})[1];
            }
        },
        BY_SNAPSHOT {
            @Override
            long userNs(long id) {
                return ThreadsSnapshot.take().thread(id).get().userTimeNs();
            }
        };

        abstract long userNs(long id);
    }

    private static final class Watched {
        final Parked thread = new Parked(() -> Spin.forMs(WORK_MS));
        final Way way;
        final long cpuNs;
        final long userNs;

        Watched(Way way) throws InterruptedException {
            this.way = way;
            Thread.sleep(SETTLING_MS);
            cpuNs = THREADS.getThreadCpuTime(thread.id());
            userNs = way.userNs(thread.id());
        }

        long stepNs() {
            return way.userNs(thread.id()) - userNs;
        }
    }
}
