// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

import io.threadclock.lab.demo.message.TrapPhase;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Short bursts of work, all at one phase of the clock tick, then all at the next: what does the thread's own user
 * time say of them? Prints one {@code @trap} line for each phase. Nothing in it knows of threadclock.
 *
 * <p>Arguments: the tick in ns, the number of phases, and the bursts at each.
 */
public final class TickTrapProgram {
    public static final long BURST_NS = TimeUnit.MICROSECONDS.toNanos(300);
    /** Long enough for a timer and a wake-up, short enough to be outside of most ticks. */
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(100);
    /** A burst that begins later than this after its time is at another phase, and is not counted. */
    private static final long LATE_NS = TimeUnit.MICROSECONDS.toNanos(20);
    /** On a machine too busy to be on time, give up on a phase after so many times the bursts asked for. */
    private static final int ATTEMPTS_PER_BURST = 4;

    /** Work in the kernel before: what the thread's ticks have told by then is the contrary of what the bursts are. */
    public static final long PAST_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final Path ENDLESS = Path.of("/dev/zero");
    private static final int READ_BYTES = 1 << 20;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Burst burst = Burst.ofLength(BURST_NS);
    private long sum;

    private TickTrapProgram() {}

    public static void main(String[] arguments) throws IOException {
        long tickNs = Long.parseLong(arguments[0]);
        int phases = Integer.parseInt(arguments[1]);
        int bursts = Integer.parseInt(arguments[2]);
        TickTrapProgram program = new TickTrapProgram();
        program.workInKernel();
        for (int phase = 0; phase < phases; phase++) {
            BurstSchedule schedule = new BurstSchedule(tickNs, tickNs * (2 * phase + 1) / (2 * phases));
            System.out.println(program.run(schedule, bursts).toMessage());
        }
        if (program.sum == 0) {
            throw new IllegalStateException("the bursts did nothing");
        }
    }

    /** The readings are compiled as well by then. */
    private void workInKernel() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(READ_BYTES);
        try (FileChannel endless = FileChannel.open(ENDLESS)) {
            for (long beginNs = System.nanoTime(); System.nanoTime() - beginNs < PAST_NS; bytes.clear()) {
                sum += threads.getCurrentThreadCpuTime() + threads.getCurrentThreadUserTime() + endless.read(bytes);
            }
        }
    }

    private TrapPhase run(BurstSchedule schedule, int bursts) {
        int done = 0;
        long userNs = 0;
        long cpuNs = 0;
        for (int attempt = 0; attempt < bursts * ATTEMPTS_PER_BURST && done < bursts; attempt++) {
            if (!waitFor(schedule.nextNs(System.nanoTime(), SPIN_NS))) {
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
        return new TrapPhase(schedule.offsetNs(), done, userNs, cpuNs);
    }

    /** Sleeps until shortly before, then spins; says whether it was in time. */
    private static boolean waitFor(long beginNs) {
        LockSupport.parkNanos(beginNs - System.nanoTime() - SPIN_NS);
        while (System.nanoTime() - beginNs < 0) {
            Thread.onSpinWait();
        }
        return System.nanoTime() - beginNs < LATE_NS;
    }
}
