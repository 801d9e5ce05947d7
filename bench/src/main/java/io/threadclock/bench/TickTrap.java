// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Bursts of user work, first all at one phase of the clock tick, then all at the next: how much user time does
 * ThreadMXBean charge for them? The program does not use threadclock.
 *
 * <p>Request: bursts at each phase. Answer: for each phase, user ÷ CPU time in %, or NaN if most bursts were late.
 */
final class TickTrap {
    static final int PHASES = 16;

    private static final int CLOCK_MONOTONIC_COARSE = 6;
    private static final long TICK_SEARCH_NS = TimeUnit.MILLISECONDS.toNanos(60);

    private static final long BURST_NS = TimeUnit.MICROSECONDS.toNanos(300);
    /** Work in the kernel before the bursts, so that the thread's ticks so far show the opposite of the bursts. */
    private static final long PAST_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Long enough for a timer and a wake-up, short enough to be outside of most ticks. */
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(100);
    /** A burst that begins later than this after its time is at another phase, and is not counted. */
    private static final long LATE_NS = TimeUnit.MICROSECONDS.toNanos(20);
    /** On a machine that is too busy to be on time, a phase ends after this many attempts per burst. */
    private static final int ATTEMPTS_PER_BURST = 3;

    private static final int CALIBRATION_ROUNDS = 20_000;
    private static final int CALIBRATION_RUNS = 400;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long tickNs = tickNs();
    private final long rounds = roundsOf(BURST_NS);
    private long state = 1;

    private TickTrap() {}

    public static void main(String[] arguments) throws Exception {
        Child.serve(request -> new TickTrap().answer(Integer.parseInt(request)));
    }

    /** The least step of a clock that the kernel moves at each tick. */
    private static long tickNs() {
        long least = Long.MAX_VALUE;
        long last = BareClocks.clockNs(CLOCK_MONOTONIC_COARSE);
        for (long beginNs = System.nanoTime();
                least == Long.MAX_VALUE || System.nanoTime() - beginNs < TICK_SEARCH_NS; ) {
            long now = BareClocks.clockNs(CLOCK_MONOTONIC_COARSE);
            least = now > last ? Math.min(least, now - last) : least;
            last = now;
        }
        return least;
    }

    private String answer(int bursts) throws IOException {
        workInKernel();
        // Prints nothing between the phases, because printing would be work of the thread, too.
        StringJoiner shares = new StringJoiner(" ");
        for (int phase = 0; phase < PHASES; phase++) {
            shares.add(Double.toString(userPercent(tickNs * (2L * phase + 1) / (2L * PHASES), bursts)));
        }
        return shares.toString();
    }

    /** When this ends, the readings are compiled as well. */
    private void workInKernel() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 20);
        try (FileChannel endless = FileChannel.open(Path.of("/dev/zero"))) {
            for (long beginNs = System.nanoTime(); System.nanoTime() - beginNs < PAST_NS; bytes.clear()) {
                state += threads.getCurrentThreadCpuTime() + threads.getCurrentThreadUserTime() + endless.read(bytes);
            }
        }
    }

    private double userPercent(long offsetNs, int bursts) {
        long userNs = 0;
        long cpuNs = 0;
        int done = 0;
        for (int attempt = 0; attempt < bursts * ATTEMPTS_PER_BURST && done < bursts; attempt++) {
            long earliestNs = System.nanoTime() + SPIN_NS;
            if (!waitFor(earliestNs + Math.floorMod(offsetNs - earliestNs, tickNs))) {
                continue;
            }
            long cpuBeforeNs = threads.getCurrentThreadCpuTime();
            long userBeforeNs = threads.getCurrentThreadUserTime();
            state = work(rounds, state);
            userNs += threads.getCurrentThreadUserTime() - userBeforeNs; // within the CPU time's two readings
            cpuNs += threads.getCurrentThreadCpuTime() - cpuBeforeNs;
            done++;
        }
        return done <= bursts / 4 ? Double.NaN : 100.0 * userNs / cpuNs;
    }

    /** Sleeps until shortly before, then spins; returns whether it was in time. */
    private static boolean waitFor(long beginNs) {
        LockSupport.parkNanos(beginNs - System.nanoTime() - SPIN_NS);
        while (System.nanoTime() - beginNs < 0) {
            Thread.onSpinWait();
        }
        return System.nanoTime() - beginNs < LATE_NS;
    }

    /**
     * Work is counted and not timed: work that ends by the clock would end at the same phase of the tick as well, and
     * would tell less about the sampling of the tick.
     */
    private static long work(long rounds, long from) {
        long state = from;
        for (long i = 0; i < rounds; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
        }
        return state;
    }

    private static long roundsOf(long lengthNs) {
        long shortestNs = Long.MAX_VALUE;
        long state = 1;
        for (int i = 0; i < CALIBRATION_RUNS; i++) {
            long beginNs = System.nanoTime();
            state = work(CALIBRATION_ROUNDS, state);
            shortestNs = Math.min(shortestNs, System.nanoTime() - beginNs);
        }
        return state == 0 ? 0 : Math.max(1, CALIBRATION_ROUNDS * lengthNs / Math.max(1, shortestNs));
    }
}
