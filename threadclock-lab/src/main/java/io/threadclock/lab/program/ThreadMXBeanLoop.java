// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Calls in a plain loop on one thread, and answers each {@link Request} with the mean ns of one call.
 *
 * <p>{@link #nothing} is to be compiled but not inlined ({@link #JVM_OPTIONS}).
 */
public final class ThreadMXBeanLoop {
    /** How its JVM is to be started. */
    public static final String[] JVM_OPTIONS = {
        "-XX:CompileCommand=quiet",
        "-XX:CompileCommand=dontinline,io.threadclock.lab.program.ThreadMXBeanLoop::nothing"
    };

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** So many that the look at the clock between two batches does not count. */
    private static final int BATCH = 1000;

    /** Read by nobody; a result that is not used need not be computed. */
    private static volatile long sum;

    private ThreadMXBeanLoop() {}

    public static void main(String[] arguments) throws IOException {
        Answer.toEachLine(line -> Double.toString(nsPerCall(Request.parse(line))));
    }

    static double nsPerCall(Request request) {
        long calls = 0;
        long elapsedNs;
        long beginNs = System.nanoTime();
        do {
            sum = batch(request.call());
            calls += BATCH;
            elapsedNs = System.nanoTime() - beginNs;
        } while (elapsedNs < request.durationNs());
        return (double) elapsedNs / calls;
    }

    /** A loop of its own for each: compiled for that call alone. */
    private static long batch(Call call) {
        return switch (call) {
            case EMPTY -> callNothing();
            case NANO_TIME -> readNanoTime();
            case USER_TIME -> readUserTime();
            case CPU_TIME -> readCpuTime();
        };
    }

    private static long callNothing() {
        long total = 0;
        for (int i = 0; i < BATCH; i++) {
            total += nothing(i);
        }
        return total;
    }

    private static long nothing(int i) {
        return i;
    }

    private static long readNanoTime() {
        long total = 0;
        for (int i = 0; i < BATCH; i++) {
            total += System.nanoTime();
        }
        return total;
    }

    private static long readUserTime() {
        long total = 0;
        for (int i = 0; i < BATCH; i++) {
            total += THREADS.getCurrentThreadUserTime();
        }
        return total;
    }

    private static long readCpuTime() {
        long total = 0;
        for (int i = 0; i < BATCH; i++) {
            total += THREADS.getCurrentThreadCpuTime();
        }
        return total;
    }
}
