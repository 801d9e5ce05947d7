// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.util.concurrent.TimeUnit;

/** The mean time of repeated calls. */
final class MeanTime {
    private MeanTime() {}

    /**
     * The mean ns of one of {@code calls}, which {@code batch} makes. A batch has so many calls that reading the clock
     * between two batches does not matter.
     */
    static double ns(long durationMs, int calls, Runnable batch) {
        long durationNs = TimeUnit.MILLISECONDS.toNanos(durationMs);
        long done = 0;
        long elapsedNs;
        long beginNs = System.nanoTime();
        do {
            batch.run();
            done += calls;
            elapsedNs = System.nanoTime() - beginNs;
        } while (elapsedNs < durationNs);
        return (double) elapsedNs / done;
    }

    /** The mean ns of {@code call}, without {@code prepare}, which runs before each call. */
    static double nsOf(long durationMs, Runnable prepare, Runnable call) {
        long calls = 0;
        long calledNs = 0;
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        do {
            prepare.run();
            long beginNs = System.nanoTime();
            call.run();
            calledNs += System.nanoTime() - beginNs;
            calls++;
        } while (System.nanoTime() - endNs < 0);
        return (double) calledNs / calls;
    }
}
