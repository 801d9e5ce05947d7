// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.harness.Exchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Short bursts of work, first all at one phase of the clock tick, then all at the next: how much user time does the
 * thread read for them? The program does not use threadclock.
 */
public final class TickTrapProgram {
    public static final long BURST_NS = TimeUnit.MICROSECONDS.toNanos(300);
    /** Work in the kernel before the bursts, so that the thread's ticks so far show the opposite of the bursts. */
    public static final long PAST_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Long enough for a timer and a wake-up, short enough to be outside of most ticks. */
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(100);
    /** A burst that begins later than this after its time is at another phase, and is not counted. */
    private static final long LATE_NS = TimeUnit.MICROSECONDS.toNanos(20);
    /** On a machine that is too busy to be on time, a phase ends after this many attempts per burst. */
    private static final int ATTEMPTS_PER_BURST = 4;

    private static final Path ENDLESS = Path.of("/dev/zero");
    private static final int READ_BYTES = 1 << 20;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Burst burst = Burst.ofLength(BURST_NS);
    private long sum;

    private TickTrapProgram() {}

    /** A number of phases of the tick, evenly spread, with a number of bursts at each. */
    public record Request(long tickNs, int phases, int bursts) {}

    /**
     * The charges of a thread for bursts of work that all began at one phase of the clock tick.
     *
     * @param offsetNs where in the tick period, counted from a multiple of the period by System.nanoTime()
     * @param bursts number of bursts
     * @param userNs user time charged to the bursts, read before and after each
     * @param cpuNs CPU time charged to the bursts, read before and after each
     */
    public record Phase(long offsetNs, int bursts, long userNs, long cpuNs) {}

    public record Answer(List<Phase> phases) {}

    public static void main(String[] arguments) throws IOException {
        Exchange.answerEach(Request.class, request -> new TickTrapProgram().run(request));
    }

    private Answer run(Request request) {
        workInKernel();
        // Prints nothing between the phases, because printing would be work of the thread, too.
        List<Phase> phases = IntStream.range(0, request.phases())
                .mapToLong(phase -> request.tickNs() * (2L * phase + 1) / (2L * request.phases()))
                .mapToObj(offsetNs -> run(request.tickNs(), offsetNs, request.bursts()))
                .toList();
        if (sum == 0) {
            throw new IllegalStateException("the bursts did nothing");
        }
        return new Answer(phases);
    }

    /** When this ends, the readings are compiled as well. */
    private void workInKernel() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(READ_BYTES);
        try (FileChannel endless = FileChannel.open(ENDLESS)) {
            for (long beginNs = System.nanoTime(); System.nanoTime() - beginNs < PAST_NS; bytes.clear()) {
                sum += threads.getCurrentThreadCpuTime() + threads.getCurrentThreadUserTime() + endless.read(bytes);
            }
        } catch (IOException refused) {
            throw new UncheckedIOException("reading " + ENDLESS, refused);
        }
    }

    private Phase run(long tickNs, long offsetNs, int bursts) {
        int done = 0;
        long userNs = 0;
        long cpuNs = 0;
        for (int attempt = 0; attempt < bursts * ATTEMPTS_PER_BURST && done < bursts; attempt++) {
            if (!waitFor(nextNs(tickNs, offsetNs, System.nanoTime() + SPIN_NS))) {
                continue;
            }
            long cpuBeforeNs = threads.getCurrentThreadCpuTime();
            long userBeforeNs = threads.getCurrentThreadUserTime();
            sum += burst.run();
            long cpuAfterNs = threads.getCurrentThreadCpuTime();
            long userAfterNs = threads.getCurrentThreadUserTime();
            userNs += userAfterNs - userBeforeNs;
            cpuNs += cpuAfterNs - cpuBeforeNs;
            done++;
        }
        return new Phase(offsetNs, done, userNs, cpuNs);
    }

    /**
     * The first moment at that offset within the tick, not before {@code earliestNs}, by System.nanoTime(), which may
     * be negative.
     */
    static long nextNs(long tickNs, long offsetNs, long earliestNs) {
        return earliestNs + Math.floorMod(offsetNs - earliestNs, tickNs);
    }

    /** Sleeps until shortly before, then spins; says whether it was in time. */
    private static boolean waitFor(long beginNs) {
        LockSupport.parkNanos(beginNs - System.nanoTime() - SPIN_NS);
        while (System.nanoTime() - beginNs < 0) {
            Thread.onSpinWait();
        }
        return System.nanoTime() - beginNs < LATE_NS;
    }

    /**
     * A fixed amount of pure user work: so many rounds of arithmetic, counted and not timed. Work that ends by the clock
     * would end at the same phase of the tick as well, and would tell less about the sampling of the tick.
     */
    private static final class Burst {
        private static final int CALIBRATION_ROUNDS = 20_000;
        private static final int CALIBRATION_RUNS = 400;

        private final long rounds;
        private long state = 1;

        private Burst(long rounds) {
            this.rounds = rounds;
        }

        /** A burst that is about this long when nothing interrupts it. Takes some milliseconds to find out. */
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

        /** Returns the end state, so that no compiler can remove the work. */
        long run() {
            for (long i = 0; i < rounds; i++) {
                state ^= state << 13;
                state ^= state >>> 7;
                state ^= state << 17;
            }
            return state;
        }
    }
}
