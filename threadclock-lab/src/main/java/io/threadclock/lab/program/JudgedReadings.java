// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Attribution through the unmodified ThreadMXBean that times each call, between two readings of System.nanoTime(), and
 * judges what it answered. One thread reads; any other may take what the calls have cost so far, while it reads on.
 */
final class JudgedReadings extends Attribution {
    private static final int SIGNIFICANT_DIGITS = 3;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final SingleWriterRecorder userCallNs = new SingleWriterRecorder(SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder cpuCallNs = new SingleWriterRecorder(SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder timerNs = new SingleWriterRecorder(SIGNIFICANT_DIGITS);
    private UnitLedger ledger = new UnitLedger();
    private long startCpuNs;
    private long startUserNs;

    @Override
    void start() {
        timeNothing();
        startCpuNs = cpuNs();
        startUserNs = userNs();
    }

    @Override
    void stop() {
        long cpuNs = cpuNs();
        ledger.charge(startCpuNs, startUserNs, cpuNs, userNs());
    }

    /** Receives the present CPU time before other work begins, so that later time is not charged to the last unit. */
    void settle(long cpuNs) {
        ledger.settle(cpuNs);
    }

    /** The charges of the units since the last call; for the thread that reads. */
    UnitLedger.Charges takeCharges() {
        UnitLedger.Charges charges = ledger.charges();
        ledger = new UnitLedger();
        return charges;
    }

    /** The times since the last call. Any thread may call this. */
    CallTimes takeTimes() {
        return new CallTimes(
                userCallNs.getIntervalHistogram(), cpuCallNs.getIntervalHistogram(), timerNs.getIntervalHistogram());
    }

    private long cpuNs() {
        long begin = System.nanoTime();
        long cpuNs = threads.getCurrentThreadCpuTime();
        long end = System.nanoTime();
        cpuCallNs.recordValue(end - begin);
        return cpuNs;
    }

    private long userNs() {
        long begin = System.nanoTime();
        long userNs = threads.getCurrentThreadUserTime();
        long end = System.nanoTime();
        userCallNs.recordValue(end - begin);
        return userNs;
    }

    /** Times nothing, to measure what the timer adds to every call. */
    private void timeNothing() {
        long begin = System.nanoTime();
        long end = System.nanoTime();
        timerNs.recordValue(end - begin);
    }

    /** Wall times of calls, in ns, the timer included, and of the timer alone. */
    record CallTimes(Histogram user, Histogram cpu, Histogram timer) {}
}
