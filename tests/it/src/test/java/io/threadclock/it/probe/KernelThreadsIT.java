// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Virtual threads that have a thread of the kernel each, where the JVM has no continuations. */
@InChild(
        jdks = InChild.JdkChoice.WITH_VIRTUAL_THREADS,
        options = "-XX:+UnlockExperimentalVMOptions -XX:-VMContinuations",
        modes = {"", InChild.AGENT + "virtual"})
class KernelThreadsIT {
    @Test
    void areReadLikePlatformThreads() throws Exception {
        FutureTask<Long> unmeasured =
                new FutureTask<>(() -> ThreadClock.canRead() ? ThreadClock.cpuTimeNs() : Long.MIN_VALUE);
        ReflectedVirtualThreads.start(unmeasured);
        assertThat(VirtualThreads.areMeasurable()).as("areMeasurable()").isFalse();
        assertThat(VirtualThreads.explanation()).contains("have no carriers");
        assertThat(unmeasured.get()).as("ns to one that nobody measures").isNotNegative();
        assertThat(worked().watchNs()).as("ns of one of the factory").isPositive();
    }

    @Test
    @Tag("timing")
    void haveTheTimeOfTheirWork() throws Exception {
        assertThat(worked().watchNs()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(3 * 5 - 1));
    }

    private static MeasuredThreadsIT.Worked worked() throws Exception {
        FutureTask<MeasuredThreadsIT.Worked> work = new FutureTask<>(MeasuredThreadsIT.Worked::new);
        VirtualThreads.factory().newThread(work).start();
        return work.get();
    }
}
