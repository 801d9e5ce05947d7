// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.IntervalUsage;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadUsage;
import io.threadclock.ThreadsSnapshot;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Snapshots of all threads, one of which has done some work and waits, and the difference of two. */
@InChild
public class SnapshotIT {
    private static final long BUSY_MS = 60;

    private static ThreadsSnapshot empty;
    private static ThreadsSnapshot before;
    private static ThreadsSnapshot after;
    private static long[] idsOfTheJdk;
    private static long endedId;
    private static long parkedId;
    private static long wallAroundNs;

    @BeforeAll
    static void takeSnapshots() throws InterruptedException {
        long beginNs = System.nanoTime();
        empty = ThreadsSnapshot.take();
        Parked leaving = new Parked(() -> Spin.forMs(1));
        endedId = leaving.id();
        try (Parked parked = new Parked(SnapshotIT::work)) {
            parkedId = parked.id();
            before = onceAtRest(parked);
            idsOfTheJdk = ManagementFactory.getThreadMXBean().getAllThreadIds(); // nothing starts or ends meanwhile
            leaving.close();
            Spin.forMs(BUSY_MS);
            after = ThreadsSnapshot.take();
            wallAroundNs = System.nanoTime() - beginNs;
        }
    }

    private static void work() {
        Thread.currentThread().setName("parked");
        Spin.forMs(BUSY_MS);
    }

    /**
     * Takes a snapshot when the thread waits, in the JVM and in the kernel, so that it has not run since the last one.
     */
    private static ThreadsSnapshot onceAtRest(Parked parked) throws InterruptedException {
        ThreadsSnapshot last = ThreadsSnapshot.take();
        while (true) {
            Thread.sleep(1);
            boolean isAsleep = KernelAccount.isAsleep(parked.tid());
            ThreadsSnapshot now = ThreadsSnapshot.take();
            ThreadSample sample = now.thread(parked.id()).get();
            if (isAsleep
                    && sample.state() == Thread.State.WAITING
                    && sample.cpuTimeNs() == last.thread(parked.id()).get().cpuTimeNs()) {
                return now;
            }
            last = now;
        }
    }

    @Test
    void listsTheThreadsThatTheJdkLists() {
        assertThat(before.threads())
                .extracting(ThreadSample::threadId)
                .containsExactlyInAnyOrder(LongStream.of(idsOfTheJdk).boxed().toArray(Long[]::new));
    }

    @Test
    void leavesOutWhatHasEnded() {
        assertThat(after.thread(endedId)).isEmpty();
    }

    @Test
    void knowsNameStateAndTimesOfAThread() {
        ThreadSample parked = before.thread(parkedId).get();
        assertThat(parked.name()).isEqualTo("parked");
        assertThat(parked.state()).isEqualTo(Thread.State.WAITING);
        assertAddsUp(parked);
        ThreadSample own = before.thread(ThreadIds.ownId()).get();
        assertThat(own.state()).isEqualTo(Thread.State.RUNNABLE);
        assertAddsUp(own);
    }

    private static void assertAddsUp(ThreadSample sample) {
        assertThat(sample.cpuTimeNs())
                .as("CPU time of %s, ns", sample.name())
                .isPositive()
                .isEqualTo(sample.userTimeNs() + sample.systemTimeNs());
    }

    @Test
    void countsAThreadThatHasStartedSinceFromItsStart() {
        assertThat(usageOf(parkedId, before.diff(empty)).cpuTimeNs())
                .as("its usage, ns")
                .isEqualTo(before.thread(parkedId).get().cpuTimeNs());
    }

    @Test
    void tellsWhoWasBusyInBetween() {
        IntervalUsage usage = after.diff(before);
        ThreadUsage busy = usageOf(ThreadIds.ownId(), usage);
        assertThat(usageOf(parkedId, usage).cpuTimeNs())
                .as("CPU time of the thread that waited, ns")
                .isZero();
        assertThat(usage.wallTimeNs())
                .as("the interval's length, ns")
                .isGreaterThanOrEqualTo(MILLISECONDS.toNanos(BUSY_MS));
        assertThat(busy.cpuTimeNs())
                .as("CPU time of the thread that spun, within the wall time of all, ns")
                .isBetween(1L, wallAroundNs);
        assertThat(Math.round(100 * busy.usageRatio()))
                .as("its usage of a CPU, percent")
                .isEqualTo(Math.round(100.0 * busy.cpuTimeNs() / usage.wallTimeNs()));
    }

    private static ThreadUsage usageOf(long threadId, IntervalUsage interval) {
        return interval.threads().stream()
                .filter(one -> one.threadId() == threadId)
                .findFirst()
                .get();
    }

    @Test
    void sumsItsThreads() {
        IntervalUsage usage = after.diff(before);
        assertThat(usage.cpuTimeNs())
                .as("CPU time of all, ns")
                .isEqualTo(usage.threads().stream()
                        .mapToLong(ThreadUsage::cpuTimeNs)
                        .sum())
                .isEqualTo(usage.userTimeNs() + usage.systemTimeNs());
    }

    /**
     * The program goes on when main() has returned. The kernel thread of "main" then belongs to "DestroyJavaVM",
     * another thread of Java, with all its time.
     */
    public static void main(String[] arguments) {
        Spin.forMs(BUSY_MS);
        Thread main = Thread.currentThread();
        ThreadsSnapshot before = ThreadsSnapshot.take();
        Thread other = new Thread(() -> assertThatMainIsCountedOnce(before, main));
        other.setUncaughtExceptionHandler((thread, thrown) -> {
            thrown.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        other.start();
    }

    private static void assertThatMainIsCountedOnce(ThreadsSnapshot before, Thread main) {
        ThreadsSnapshot after = ThreadsSnapshot.take();
        while (!destroyer(after).isPresent()) {
            after = ThreadsSnapshot.take();
        }
        ThreadSample now = destroyer(after).get();
        ThreadSample then = before.thread(main.getId()).get();
        assertThat(now.tid()).as("tid, which is still main's").isPositive().isEqualTo(then.tid());
        assertThat(usageOf(now.threadId(), after.diff(before)).cpuTimeNs())
                .as("CPU time of DestroyJavaVM, ns")
                .isEqualTo(now.cpuTimeNs() - then.cpuTimeNs());
        assertThat(now.continues(then)).as("whether it continues main").isTrue();
        assertThat(after.thread(ThreadIds.ownId()).get().continues(then))
                .as("or another does")
                .isFalse();
    }

    private static Optional<ThreadSample> destroyer(ThreadsSnapshot times) {
        return times.threads().stream()
                .filter(sample -> sample.name().equals("DestroyJavaVM"))
                .findFirst();
    }
}
