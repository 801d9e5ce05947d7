// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmhrun;

/**
 * How long each figure is measured.
 *
 * @param forks JVMs for each, one after the other; between two of them all others have their turn
 * @param warmups iterations at the beginning of each fork that do not count; several, because it takes some calls of
 *     the loop, not only turns of it, to have it compiled
 * @param iterations of each fork that count
 */
record Length(int forks, int warmups, int warmupMs, int iterations, int iterationMs) {
    /** What a fork takes beside: JMH asks the JVM what it is, starts it, and talks to it. */
    private static final int START_MS = 350;

    /** What it takes to have all threads begin and end together, where they are more than the CPUs. */
    private static final int GATHERING_MS_PER_THREAD = 30;

    /** Below this the first and the last call count. */
    private static final int SHORTEST_MS = 50;

    long ms(int threads) {
        long iterationsMs = (long) warmups * warmupMs + (long) iterations * iterationMs;
        return forks * (START_MS + iterationsMs + (long) GATHERING_MS_PER_THREAD * (threads - 1));
    }

    /** Fewer forks where there are several: each has a start that measures nothing. */
    Length times(double factor) {
        return forks > 1
                ? new Length((int) Math.max(1, forks * factor), warmups, warmupMs, iterations, iterationMs)
                : new Length(1, warmups, warmupMs, iterations, (int) Math.max(SHORTEST_MS, iterationMs * factor));
    }
}
