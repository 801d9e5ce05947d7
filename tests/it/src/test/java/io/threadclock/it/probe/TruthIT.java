// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The figures of other threads, against the kernel's own account of what they have used up. Half of them have done so
 * before the agent may be attached. They all wait.
 */
@InChild(
        jdks = InChild.JdkChoice.EACH_AND_OLDEST,
        agent = {InChild.Loading.AGENTPATH, InChild.Loading.ATTACHED})
class TruthIT {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long WORK_MS = 100;
    /** A thread's own readings may be ahead of the account by a window at most. */
    private static final long SLACK_NS = 5_000_000;
    /** The kernel tells its split in units of 10 ms. */
    private static final double SLACK_OF_SHARE = 0.15;

    private static final List<Worker> WORKERS = new ArrayList<>();

    @BeforeAll
    static void readThreadsThatHaveWorked() throws IOException, InterruptedException {
        startAll("before");
        Gate.await("begin");
        startAll("after");
        long[] ids = WORKERS.stream().mapToLong(worker -> worker.parked.id()).toArray();
        long[] userNs = THREADS.getThreadUserTime(ids);
        long[] cpuNs = THREADS.getThreadCpuTime(ids);
        for (int i = 0; i < ids.length; i++) {
            Worker worker = WORKERS.get(i);
            worker.figures.add(new Figure(
                    worker.name + " by id", THREADS.getThreadUserTime(ids[i]), THREADS.getThreadCpuTime(ids[i])));
            worker.figures.add(new Figure(worker.name + " by array", userNs[i], cpuNs[i]));
            worker.kernelAfterNs = KernelAccount.cpuNsOf(worker.parked.tid());
            worker.parked.close();
        }
    }

    private static void startAll(String when) throws InterruptedException {
        WORKERS.add(new Worker("a spinner " + when, 0.6, 1.0, () -> Work.spin(WORK_MS)));
        WORKERS.add(new Worker("a spinner that reads itself " + when, 0.6, 1.0, TruthIT::readingItself));
        WORKERS.add(new Worker("a reader of zeros " + when, 0.0, 0.5, () -> Work.readZeros(WORK_MS)));
        WORKERS.add(new Worker("an idler " + when, 0.0, 1.0, KernelAccount::cpuNs));
    }

    private static long readingItself() {
        THREADS.getCurrentThreadUserTime();
        Work.spin(WORK_MS);
        THREADS.getCurrentThreadUserTime();
        return KernelAccount.cpuNs();
    }

    @Test
    void isToldOfAllThatTheKernelHasCountedBefore() {
        for (Worker worker : WORKERS) {
            for (Figure told : worker.figures) {
                assertThat(told.cpuNs)
                        .as("CPU time of %s, against the kernel's account before, ns", told.name)
                        .isGreaterThanOrEqualTo(worker.kernelNs);
                assertThat(told.userNs)
                        .as("user time of %s, of its CPU time, ns", told.name)
                        .isBetween(0L, told.cpuNs);
            }
        }
    }

    @Test
    @Tag("timing")
    void isToldOfCpuTime() {
        for (Worker worker : WORKERS) {
            for (Figure told : worker.figures) {
                assertThat(told.cpuNs)
                        .as("CPU time of %s, between the kernel's accounts before and after, ns", told.name)
                        .isBetween(worker.kernelNs, worker.kernelAfterNs + SLACK_NS);
            }
        }
    }

    /** Ten clock ticks, or 25, may find a spinner in the kernel more often than it is there. */
    @Test
    @Tag("timing")
    void isToldOfUserAndSystemTimeAsAThreadHasSpunOrReadZeros() {
        for (Worker worker : WORKERS) {
            for (Figure told : worker.figures) {
                assertThat((double) told.userNs / told.cpuNs)
                        .as("user time / CPU time of %s: %s ns / %s ns", told.name, told.userNs, told.cpuNs)
                        .isBetween(
                                Math.min(worker.leastShare, worker.kernelsShare - SLACK_OF_SHARE),
                                Math.max(worker.mostShare, Math.min(1.0, worker.kernelsShare + SLACK_OF_SHARE)));
            }
        }
    }

    /** A thread that has worked, and now waits. */
    private static final class Worker {
        private final List<Figure> figures = new ArrayList<>();
        private final String name;
        private final double leastShare;
        private final double mostShare;
        private final Parked parked;
        private final double kernelsShare;
        private volatile long kernelNs;
        private long kernelAfterNs;

        /** The shares: of user time in its CPU time. */
        Worker(String name, double leastShare, double mostShare, LongSupplier work) throws InterruptedException {
            this.name = name;
            this.leastShare = leastShare;
            this.mostShare = mostShare;
            this.parked = new Parked(() -> kernelNs = work.getAsLong());
            long[] ticks = KernelAccount.splitTicksOf(parked.tid());
            this.kernelsShare = ticks[0] + ticks[1] == 0 ? 0.5 : (double) ticks[0] / (ticks[0] + ticks[1]);
        }
    }

    private static final class Figure {
        private final String name;
        private final long userNs;
        private final long cpuNs;

        Figure(String name, long userNs, long cpuNs) {
            this.name = name;
            this.userNs = userNs;
            this.cpuNs = cpuNs;
        }
    }
}
