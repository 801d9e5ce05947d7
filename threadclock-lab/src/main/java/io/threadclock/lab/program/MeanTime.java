// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.util.concurrent.TimeUnit;

/** How long it takes on average what is done again and again. */
final class MeanTime {
    private MeanTime() {}

    /**
     * The mean ns of one of {@code calls}, which {@code batch} makes: as many as it takes for the look at the clock
     * between two batches not to count.
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

    /** The mean ns of {@code call} alone, before each of which {@code prepare} is run. */
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
