// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.threadclock.ThreadClock;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Measures the present latency of a reading, in wall time, on the thread that calls {@link #measure()}. It takes
 * medians, because a preemption in one reading says nothing about the clock. Only one thread may call it.
 */
final class LatencyProbe {
    private static final int READS = 100;
    private static final int BATCHES = 15;
    private static final int SWITCHES = 9;

    /** After this many batches, the compilers have treated this loop as they treat an application's. */
    private static final int FIRST_BATCHES = 300;

    private final LongSupplier clock;
    private final LongSupplier nanoTime;
    private volatile double afterReadNs = Double.NaN;
    private volatile double afterSwitchNs = Double.NaN;
    private boolean isWarm;

    /** Written so that the compiler cannot remove a reading. */
    private long lastNs;

    LatencyProbe() {
        this(ThreadClock::cpuTimeNs, System::nanoTime);
    }

    LatencyProbe(LongSupplier clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** NaN before the first measurement. */
    double afterReadNs() {
        return afterReadNs;
    }

    /** NaN before the first measurement. */
    double afterSwitchNs() {
        return afterSwitchNs;
    }

    void measure() {
        for (int batch = 0; !isWarm && batch < FIRST_BATCHES; batch++) {
            batchNs();
        }
        isWarm = true;
        afterReadNs = median(BATCHES, this::batchNs) / READS;
        afterSwitchNs = Math.max(0, median(SWITCHES, this::switchedNs) - median(SWITCHES, this::nothingNs));
    }

    private long batchNs() {
        long beginNs = nanoTime.getAsLong();
        long sumNs = 0;
        for (int i = 0; i < READS; i++) {
            sumNs += clock.getAsLong();
        }
        lastNs = sumNs;
        return nanoTime.getAsLong() - beginNs;
    }

    private long switchedNs() {
        LockSupport.parkNanos(1);
        long beginNs = nanoTime.getAsLong();
        lastNs = clock.getAsLong();
        return nanoTime.getAsLong() - beginNs;
    }

    private long nothingNs() {
        long beginNs = nanoTime.getAsLong();
        return nanoTime.getAsLong() - beginNs;
    }

    private static double median(int count, LongSupplier measurement) {
        long[] ns = new long[count];
        for (int i = 0; i < count; i++) {
            ns[i] = measurement.getAsLong();
        }
        Arrays.sort(ns);
        return ns[count / 2];
    }
}
