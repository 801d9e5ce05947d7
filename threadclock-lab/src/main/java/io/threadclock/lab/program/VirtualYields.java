// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.TimeUnit;

/**
 * Yields in a loop on one virtual thread: each time it is taken off its carrier and put back on. Each request is for
 * how many ms; answers the ns of one yield. For JDK 21 and newer; compiled for older ones.
 */
public final class VirtualYields {
    /** How its JVM is to be started: with one carrier, so that the thread stays on one CPU. */
    public static final String[] JVM_OPTIONS = {
        "-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1"
    };

    /** The first JDK that has virtual threads. */
    public static final int OLDEST_FEATURE = 21;

    private static final int BATCH = 1000;

    private VirtualYields() {}

    public static void main(String[] arguments) throws IOException {
        Answer.toEachLine(line -> Double.toString(nsPerYieldOfVirtual(Long.parseLong(line))));
    }

    static double nsPerYield(long durationMs) {
        long yields = 0;
        long elapsedNs;
        long beginNs = System.nanoTime();
        do {
            for (int i = 0; i < BATCH; i++) {
                Thread.yield();
            }
            yields += BATCH;
            elapsedNs = System.nanoTime() - beginNs;
        } while (elapsedNs < TimeUnit.MILLISECONDS.toNanos(durationMs));
        return (double) elapsedNs / yields;
    }

    private static double nsPerYieldOfVirtual(long durationMs) {
        double[] ns = new double[1];
        try {
            startVirtualThread(() -> ns[0] = nsPerYield(durationMs)).join();
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
        return ns[0];
    }

    private static Thread startVirtualThread(Runnable task) {
        try {
            return (Thread)
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException tooOld) {
            throw new IllegalStateException("virtual threads need JDK " + OLDEST_FEATURE + " or newer", tooOld);
        }
    }
}
