// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadsSnapshot;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Asks for times again and again, in one of the possible ways, and counts wrong answers. */
final class Hammer extends Thread {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ASKED_FOR = 16;

    private final Consumer<Hammer> way;
    private final Churn churn;
    private final long pauseNs;
    private final ShortLivedThread[] asked = new ShortLivedThread[ASKED_FOR];
    private final ShortLivedThread.State[] states = new ShortLivedThread.State[ASKED_FOR];
    private volatile boolean stopping;
    private long calls;
    private String firstLie;

    /** {@code pauseNs}: 0, or the time for which it leaves the CPU to others each time. */
    private Hammer(String name, Consumer<Hammer> way, Churn churn, long pauseNs) {
        super(name);
        this.way = way;
        this.churn = churn;
        this.pauseNs = pauseNs;
    }

    /** One for each way to ask. */
    static List<Hammer> allOn(Churn churn, long pauseNs) {
        return Arrays.asList(
                new Hammer("own", Hammer::askForOwn, churn, pauseNs),
                new Hammer("by id", Hammer::askById, churn, pauseNs),
                new Hammer("by array", Hammer::askByArray, churn, pauseNs),
                new Hammer("by snapshot", Hammer::askBySnapshot, churn, pauseNs));
    }

    @Override
    public void run() {
        do { // once at least, however late it gets a CPU
            try {
                way.accept(this);
            } catch (RuntimeException | LinkageError thrown) {
                judge(true, thrown.toString(), -1);
            }
            if (pauseNs > 0) {
                LockSupport.parkNanos(pauseNs);
            }
        } while (!stopping);
    }

    void end() throws InterruptedException {
        stopping = true;
        join();
    }

    void assertThatAllToldTheTruth() {
        assertThat(calls).as("%s: answers judged", getName()).isPositive();
        assertThat(firstLie)
                .as("%s: the first answer that cannot be true", getName())
                .isNull();
    }

    private void askForOwn() {
        long ownId = ThreadIds.ownId();
        judge(THREADS.getCurrentThreadCpuTime() < 0, "own CPU time", -1);
        judge(THREADS.getCurrentThreadUserTime() < 0, "own user time", -1);
        judge(THREADS.getThreadCpuTime(ownId) < 0, "own CPU time by id", -1);
        judge(THREADS.getThreadUserTime(ownId) < 0, "own user time by id", -1);
    }

    private void askById() {
        pickThreads();
        for (ShortLivedThread thread : asked) {
            ShortLivedThread.State before = thread.state();
            long cpuNs = THREADS.getThreadCpuTime(thread.id());
            judge(thread.isContradictedByCpuTime(before, cpuNs), "CPU time, " + before, cpuNs);
            before = thread.state();
            long userNs = THREADS.getThreadUserTime(thread.id());
            judge(thread.isContradictedByUserTime(before, userNs), "user time, " + before, userNs);
        }
    }

    private void askByArray() {
        pickThreads();
        long[] ids = new long[ASKED_FOR + 1];
        for (int i = 0; i < ASKED_FOR; i++) {
            ids[i] = asked[i].id();
        }
        ids[ASKED_FOR] = ThreadIds.ownId();
        lookAtStates();
        long[] cpuNs = THREADS.getThreadCpuTime(ids);
        for (int i = 0; i < ASKED_FOR; i++) {
            judge(asked[i].isContradictedByCpuTime(states[i], cpuNs[i]), "CPU time in array, " + states[i], cpuNs[i]);
        }
        lookAtStates();
        long[] userNs = THREADS.getThreadUserTime(ids);
        for (int i = 0; i < ASKED_FOR; i++) {
            judge(
                    asked[i].isContradictedByUserTime(states[i], userNs[i]),
                    "user time in array, " + states[i],
                    userNs[i]);
        }
        judge(cpuNs[ASKED_FOR] < 0 || userNs[ASKED_FOR] < 0, "own times in array", -1);
    }

    private void askBySnapshot() {
        pickThreads();
        lookAtStates();
        ThreadsSnapshot times = ThreadsSnapshot.take();
        for (int i = 0; i < ASKED_FOR; i++) {
            Optional<ThreadSample> sample = times.thread(asked[i].id());
            long cpuNs = sample.map(ThreadSample::cpuTimeNs).orElse(-1L);
            long userNs = sample.map(ThreadSample::userTimeNs).orElse(-1L);
            judge(asked[i].isContradictedByCpuTime(states[i], cpuNs), "CPU time in snapshot, " + states[i], cpuNs);
            judge(asked[i].isContradictedByUserTime(states[i], userNs), "user time in snapshot, " + states[i], userNs);
        }
    }

    private void pickThreads() {
        churn.copyTo(asked);
    }

    private void lookAtStates() {
        for (int i = 0; i < ASKED_FOR; i++) {
            states[i] = asked[i].state();
        }
    }

    private void judge(boolean lie, String what, long ns) {
        calls++;
        if (lie && firstLie == null) {
            firstLie = what + ": " + ns;
        }
    }
}
