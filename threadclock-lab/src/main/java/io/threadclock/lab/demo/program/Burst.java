// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

/**
 * A fixed amount of pure user work: so many rounds of arithmetic, counted and not timed. Work that ends by the clock
 * would end at the same phase of the tick as well, and so would tell less about the sampling of the tick.
 */
final class Burst {
    private static final int CALIBRATION_ROUNDS = 20_000;
    private static final int CALIBRATION_RUNS = 400;

    private final long rounds;
    private long state = 1;

    private Burst(long rounds) {
        this.rounds = rounds;
    }

    /**
     * A burst that takes about {@code lengthNs} here when nothing interrupts it; takes some milliseconds to find out.
     */
    static Burst ofLength(long lengthNs) {
        Burst sample = new Burst(CALIBRATION_ROUNDS);
        long shortestNs = Long.MAX_VALUE;
        for (int i = 0; i < CALIBRATION_RUNS; i++) {
            long beginNs = System.nanoTime();
            sample.run();
            shortestNs = Math.min(shortestNs, System.nanoTime() - beginNs);
        }
        return new Burst(Math.max(1, CALIBRATION_ROUNDS * lengthNs / Math.max(1, shortestNs)));
    }

    /** Returns the end state, so that no compiler can leave the work out. */
    long run() {
        for (long i = 0; i < rounds; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
        }
        return state;
    }
}
