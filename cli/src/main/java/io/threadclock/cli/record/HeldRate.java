// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import io.threadclock.cli.threads.ProcessEnded;
import io.threadclock.cli.threads.ProcessSilent;
import io.threadclock.cli.threads.ThreadReader;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The rate at which a JVM can be sampled for as long as one likes. At a faster one its agent would use up what its
 * budget has saved, within seconds, and then answer late; from outside, reading itself would take too long.
 */
public final class HeldRate {
    /** A snapshot costs more if the one before is longer ago, so that a lower rate has to be tried as well. */
    private static final int TRIALS = 3;

    private static final int LEAST_SNAPSHOTS = 11;
    /** Part of a second: the first snapshots are expensive, because this program has just started as well. */
    private static final double TRIAL_S = 0.3;

    /** The machine may be busier later, and a rate that is told shall be held. */
    private static final double HEADROOM = 0.9;

    private static final long LONGEST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private HeldRate() {}

    /**
     * Takes snapshots for a moment.
     *
     * @param asked samples a second
     * @return that, or less
     */
    public static int of(ThreadReader reader, int asked) throws InterruptedException {
        return of(reader, asked, System::nanoTime);
    }

    static int of(ThreadReader reader, int asked, LongSupplier ns) throws InterruptedException {
        int rate = asked;
        try {
            for (int i = 0, tried = 0; i < TRIALS && rate != tried; i++) {
                tried = rate;
                long periodNs = periodNs(reader, rate, ns);
                if (periodNs > TimeUnit.SECONDS.toNanos(1) / rate) {
                    rate = (int) Math.max(1, HEADROOM * TimeUnit.SECONDS.toNanos(1) / periodNs);
                }
            }
        } catch (ProcessEnded | ProcessSilent recordingTells) {
            return rate;
        }
        return rate;
    }

    private static long periodNs(ThreadReader reader, int rate, LongSupplier ns) throws InterruptedException {
        long[] periodsNs = new long[Math.max(LEAST_SNAPSHOTS, (int) (rate * TRIAL_S))];
        for (int i = 0; i < periodsNs.length; i++) {
            long beginNs = ns.getAsLong();
            reader.snapshot();
            long tookNs = ns.getAsLong() - beginNs;
            periodsNs[i] = Math.max(tookNs, reader.periodNs());
            TimeUnit.NANOSECONDS.sleep(Math.min(TimeUnit.SECONDS.toNanos(1) / rate - tookNs, LONGEST_PAUSE_NS));
        }
        // Expensive snapshots are paid for by cheaper ones: this one is near the mean.
        Arrays.sort(periodsNs);
        return Math.max(1, periodsNs[periodsNs.length * 2 / 3]);
    }
}
