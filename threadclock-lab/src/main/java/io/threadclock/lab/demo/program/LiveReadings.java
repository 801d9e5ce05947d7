// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

import io.threadclock.lab.demo.message.PhaseResult;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Readings of threads' times through the unmodified ThreadMXBean, each between two readings of System.nanoTime(). One
 * thread reads; any other may take away what the calls have cost so far, while it reads on.
 */
final class LiveReadings {
    private static final int SIGNIFICANT_DIGITS = 3;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final SingleWriterRecorder userCallNs = new SingleWriterRecorder(SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder cpuCallNs = new SingleWriterRecorder(SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder otherCallNs = new SingleWriterRecorder(SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder timerNs = new SingleWriterRecorder(SIGNIFICANT_DIGITS);

    long userNs() {
        long begin = System.nanoTime();
        long userNs = threads.getCurrentThreadUserTime();
        long end = System.nanoTime();
        userCallNs.recordValue(end - begin);
        return userNs;
    }

    long cpuNs() {
        long begin = System.nanoTime();
        long cpuNs = threads.getCurrentThreadCpuTime();
        long end = System.nanoTime();
        cpuCallNs.recordValue(end - begin);
        return cpuNs;
    }

    long userNsOf(Thread other) {
        long begin = System.nanoTime();
        long userNs = threads.getThreadUserTime(other.getId());
        long end = System.nanoTime();
        otherCallNs.recordValue(end - begin);
        return userNs;
    }

    /** The bracket alone: what the timer adds to every call. */
    void time() {
        long begin = System.nanoTime();
        long end = System.nanoTime();
        timerNs.recordValue(end - begin);
    }

    CallTimes take() {
        return new CallTimes(
                userCallNs.getIntervalHistogram(),
                cpuCallNs.getIntervalHistogram(),
                otherCallNs.getIntervalHistogram(),
                timerNs.getIntervalHistogram());
    }

    /** Wall times of calls, in ns, the timer included, and of the timer alone. */
    record CallTimes(Histogram user, Histogram cpu, Histogram other, Histogram timer) {
        static CallTimes none() {
            return new CallTimes(
                    PhaseResult.newHistogram(),
                    PhaseResult.newHistogram(),
                    PhaseResult.newHistogram(),
                    PhaseResult.newHistogram());
        }

        void add(CallTimes more) {
            user.add(more.user);
            cpu.add(more.cpu);
            other.add(more.other);
            timer.add(more.timer);
        }
    }
}
