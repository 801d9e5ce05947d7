// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A virtual thread that is made before the agent is attached, one made meanwhile, and one after it has been detached.
 */
@InChild(
        jdks = InChild.JdkChoice.WITH_VIRTUAL_THREADS,
        agent = InChild.Loading.VIRTUAL_DETACHED,
        options = InChild.ONE_CARRIER)
class LateVirtualThreadsIT {
    private static final long WORK_MS = 5;
    private static final CountDownLatch MAY_END = new CountDownLatch(1);

    private static Working first;
    private static Working second;
    private static Working third;

    @BeforeAll
    static void workWhileTheAgentComesAndGoes() throws IOException, InterruptedException {
        VirtualThreads.areMeasurable();
        first = new Working();
        Gate.await("begin");
        second = new Working();
        Gate.await("middle");
        third = new Working();
        MAY_END.countDown();
        for (Working each : new Working[] {first, second, third}) {
            each.thread.join();
        }
    }

    @Test
    void areMeasuredIfTheyAreMadeFromTheAttachToTheDetach() {
        assertThat(first.ns()).as("ns of one made before").isEqualTo(-1);
        assertThat(second.ns()).as("ns of one made meanwhile").isPositive();
        assertThat(second.ownNs).as("ns that it read after the detach").isNotNegative();
        assertThat(third.ns()).as("ns of one made afterwards").isEqualTo(-1);
        assertThat(third.canRead).as("canRead() of one made afterwards").isFalse();
    }

    @Test
    @Tag("timing")
    void haveTheTimeOfTheirWork() {
        assertThat(second.ns())
                .as("ns of 10 ms of work of one made meanwhile, of which half was done after the detach")
                .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(2 * WORK_MS - 1));
    }

    private static final class Working {
        private final CountDownLatch works = new CountDownLatch(1);
        private final Thread thread = ReflectedVirtualThreads.unstarted(this::work);
        private volatile boolean canRead;
        private volatile long ownNs = -1;

        Working() throws InterruptedException {
            thread.start();
            works.await();
        }

        /** Parks again and again, so that it is mounted while the agent comes and goes. */
        private void work() {
            works.countDown();
            Work.spin(WORK_MS);
            while (MAY_END.getCount() > 0) {
                LockSupport.parkNanos(100_000);
            }
            Work.spin(WORK_MS);
            canRead = ThreadClock.canRead();
            ownNs = canRead ? ThreadClock.cpuTimeNs() : -1;
        }

        long ns() {
            return VirtualThreads.cpuTimeNs(thread);
        }
    }
}
