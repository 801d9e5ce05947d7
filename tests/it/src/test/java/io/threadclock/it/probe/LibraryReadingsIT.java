// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.threadclock.CpuStopwatch;
import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.TimesHolder;
import io.threadclock.VirtualThreads;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A thread reads itself through the Java library. */
@InChild(modes = {Bindings.JNI, Bindings.FFM})
class LibraryReadingsIT {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int READINGS = Amount.orLittle(1_000_000, 100_000);
    private static final int WARM_UP = 20_000;
    private static final int ROUNDS = 3;

    private final TimesHolder holder = new TimesHolder();
    private final CpuStopwatch watch = new CpuStopwatch();
    private long lastCpuNs;
    private long lastUserNs;
    private long sink;

    @BeforeAll
    static void chooseBinding() {
        Bindings.assumeThatThisIsPossible();
    }

    @Test
    void areMonotoneAndAddUp() {
        for (int i = 0; i < READINGS; i++) {
            ThreadClock.read(holder);
            judge(holder.cpuTimeNs(), holder.userTimeNs(), holder.systemTimeNs());
        }
        CpuTimes times = ThreadClock.read();
        judge(times.cpuTimeNs(), times.userTimeNs(), times.systemTimeNs());
        long userNs = ThreadClock.userTimeNs();
        long cpuNs = ThreadClock.cpuTimeNs();
        judge(cpuNs, userNs, cpuNs - userNs);
    }

    private void judge(long cpuNs, long userNs, long systemNs) {
        boolean grows = cpuNs >= lastCpuNs && userNs >= lastUserNs && userNs - lastUserNs <= cpuNs - lastCpuNs;
        if (!grows || systemNs < 0 || userNs + systemNs != cpuNs) {
            throw new AssertionError("CPU time " + cpuNs + " ns, user " + userNs + ", system " + systemNs
                    + " after CPU " + lastCpuNs + ", user " + lastUserNs);
        }
        lastCpuNs = cpuNs;
        lastUserNs = userNs;
    }

    /** The JVM itself may allocate once (128 bytes on 17), but readings would in each round. */
    @Test
    void allocateNothing() {
        readAll(WARM_UP);
        long leastBytes = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            leastBytes = Math.min(leastBytes, allocatedBytes());
        }
        assertThat(leastBytes)
                .as("bytes allocated by %s readings of each kind, and as many laps of a stopwatch", READINGS)
                .isZero();
    }

    /** Without the bytes that asking for it allocates. */
    private long allocatedBytes() {
        long id = Thread.currentThread().getId();
        THREADS.getThreadAllocatedBytes(id);
        long first = THREADS.getThreadAllocatedBytes(id);
        long before = THREADS.getThreadAllocatedBytes(id);
        readAll(READINGS);
        return THREADS.getThreadAllocatedBytes(id) - before - (before - first);
    }

    private void readAll(int readings) {
        for (int i = 0; i < readings; i++) {
            ThreadClock.read(holder);
            sink += holder.userTimeNs() + ThreadClock.cpuTimeNs();
            sink += ThreadClock.userTimeNs() + ThreadClock.systemTimeNs();
            try (CpuStopwatch running = watch.start()) {
                sink += running.lap();
            }
            sink += watch.cpuTimeNs();
        }
    }

    @Test
    void ofAStopwatchLieWithinThoseAroundIt() {
        long beforeNs = ThreadClock.cpuTimeNs();
        watch.start();
        Spin.forMs(50);
        long lapNs = watch.lap();
        long watchNs = watch.stop();
        assertThat(watchNs)
                .as("CPU time by the stopwatch, between its lap and the clock around it, in ns")
                .isPositive()
                .isGreaterThanOrEqualTo(lapNs)
                .isLessThanOrEqualTo(ThreadClock.cpuTimeNs() - beforeNs)
                .isEqualTo(watch.userTimeNs() + watch.systemTimeNs());
    }

    @Test
    void areRefusedToAVirtualThread() throws InterruptedException {
        assumeTrue(ReflectedVirtualThreads.areAvailable(), "no virtual threads");
        List<Object> answers = new ArrayList<>();
        ReflectedVirtualThreads.start(() -> {
                    answers.add(answer(ThreadClock::cpuTimeNs));
                    answers.add(answer(() -> ThreadClock.read().cpuTimeNs()));
                    answers.add(watch.start().stop());
                })
                .join();
        assertThat(answers)
                .as("answers to a virtual thread, whose carrier's times would be wrong figures, and a stopwatch")
                .containsExactly(UnsupportedOperationException.class, UnsupportedOperationException.class, -1L);
    }

    @Test
    void ofVirtualThreadsAreUnknownToOlderJdks() {
        assumeFalse(ReflectedVirtualThreads.areAvailable(), "virtual threads");
        assertThat(VirtualThreads.areMeasurable()).as("areMeasurable()").isFalse();
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(VirtualThreads::factory);
        assertThat(VirtualThreads.measure(new Thread(() -> {})))
                .as("measure() of a platform thread")
                .isFalse();
        assertThat(ThreadsSnapshot.take(100).virtualThreads())
                .as("a snapshot's virtual threads")
                .isEmpty();
    }

    private static Object answer(Callable<Long> call) {
        try {
            return call.call();
        } catch (Exception refused) {
            return refused.getClass();
        }
    }
}
