// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.threadclock.ThreadsSnapshot;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads that have worked a little, and now wait, are read by others twice: at once, which is when the agent finds
 * them, and later. It is attached when there are so many threads that it takes its time to look for more.
 */
@InChild(agent = InChild.Loading.ATTACHED)
class FirstFigureIT {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final List<LongUnaryOperator> WAYS = Arrays.asList(
            THREADS::getThreadUserTime,
            id -> THREADS.getThreadUserTime(new long[] {id, id})[1],
            id -> ThreadsSnapshot.take().thread(id).get().userTimeNs());
    private static final int PARKED = 2_000;
    private static final int ROUNDS = 9;
    private static final int WAITING = 3;
    private static final long WORK_MS = 3;
    private static final long SETTLING_MS = 1;
    private static final long LATER_MS = 100;

    private final Tally steps = new Tally();

    @Test
    @Tag("timing")
    void ofThreadsThatWaitIsLikeThoseThatFollow() throws IOException, InterruptedException {
        ManyParked others = new ManyParked(PARKED);
        Gate.await("begin");
        for (int round = 0; round < ROUNDS; round++) {
            compare(WAYS.get(round % WAYS.size()));
        }
        others.close();
        assertThat(steps.comparisons())
                .as("threads that waited between two answers")
                .isPositive();
        steps.assertNoBreach("user time does not move while a thread waits");
    }

    private void compare(LongUnaryOperator way) throws InterruptedException {
        Watched[] watched = new Watched[WAITING];
        for (int i = 0; i < WAITING; i++) {
            watched[i] = new Watched(way);
        }
        Thread.sleep(LATER_MS);
        for (Watched each : watched) {
            each.compare();
        }
    }

    private final class Watched {
        private final Parked thread = new Parked(() -> Spin.forMs(WORK_MS));
        private final LongUnaryOperator way;
        private final long cpuNs;
        private final long userNs;

        Watched(LongUnaryOperator way) throws InterruptedException {
            this.way = way;
            Thread.sleep(SETTLING_MS);
            cpuNs = THREADS.getThreadCpuTime(thread.id());
            userNs = way.applyAsLong(thread.id());
        }

        /** A thread that has used no CPU time in between has used no user time. */
        void compare() {
            long laterNs = way.applyAsLong(thread.id());
            if (THREADS.getThreadCpuTime(thread.id()) == cpuNs) {
                steps.atLeast(userNs, laterNs);
                steps.atLeast(laterNs, userNs);
            }
            thread.close();
        }
    }
}
