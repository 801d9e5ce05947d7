// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Asks for the times of another thread by its id in a plain loop, and answers the mean ns of one call. */
public final class NeighbourLoop {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** So many that the look at the clock between two batches does not count. */
    private static final int BATCH = 100;

    /** Read by nobody; a result that is not used need not be computed. */
    private static volatile long sum;

    /** Never told to spin. */
    private final SpinningThread asleep = started(new SpinningThread(false));

    private final SpinningThread busy = started(new SpinningThread(false));
    private final SpinningThread busyReading = started(new SpinningThread(true));

    NeighbourLoop() {}

    public static void main(String[] arguments) throws IOException {
        NeighbourLoop loop = new NeighbourLoop();
        Answer.toEachLine(line -> Double.toString(loop.nsPerCall(NeighbourRequest.parse(line))));
    }

    double nsPerCall(NeighbourRequest request) {
        return switch (request.neighbour()) {
            case ASLEEP -> nsPerCall(asleep, request);
            case BUSY -> nsPerCallWhileBusy(busy, request);
            case BUSY_READING -> nsPerCallWhileBusy(busyReading, request);
        };
    }

    private static SpinningThread started(SpinningThread thread) {
        thread.start();
        return thread;
    }

    private static double nsPerCallWhileBusy(SpinningThread thread, NeighbourRequest request) {
        thread.spin();
        try {
            return nsPerCall(thread, request);
        } finally {
            thread.rest();
        }
    }

    private static double nsPerCall(Thread thread, NeighbourRequest request) {
        long id = thread.getId();
        long calls = 0;
        long elapsedNs;
        long beginNs = System.nanoTime();
        do {
            sum = request.quantity() == Quantity.USER_TIME ? readUserTime(id) : readCpuTime(id);
            calls += BATCH;
            elapsedNs = System.nanoTime() - beginNs;
        } while (elapsedNs < request.durationNs());
        return (double) elapsedNs / calls;
    }

    private static long readUserTime(long id) {
        long total = 0;
        for (int i = 0; i < BATCH; i++) {
            total += THREADS.getThreadUserTime(id);
        }
        return total;
    }

    private static long readCpuTime(long id) {
        long total = 0;
        for (int i = 0; i < BATCH; i++) {
            total += THREADS.getThreadCpuTime(id);
        }
        return total;
    }
}
