// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine;

/**
 * How much to measure on each JDK.
 *
 * @param launches how often the JVM is started anew: each is compiled and laid out anew
 * @param warmupMs how long all contenders work in turn before anything counts
 * @param withoutAgentMs how long off, stock and the library work in turn
 * @param withAgentMs how long off and ThreadMXBean work in turn while the agent is in force
 */
public record EnginePlan(int launches, long warmupMs, long withoutAgentMs, long withAgentMs) {
    /** The JDKs for which the plans below are made; with more of them each gets less. */
    private static final int USUAL_JDKS = 2;

    /** Under two minutes: intervals of a few tenths of a per cent. */
    public static EnginePlan full(int jdks) {
        return new EnginePlan(2, 3000, 14_000, 6000).dividedAmong(jdks);
    }

    /** Under half a minute. */
    public static EnginePlan quick(int jdks) {
        return new EnginePlan(1, 1800, 5000, 2000).dividedAmong(jdks);
    }

    private EnginePlan dividedAmong(int jdks) {
        double factor = Math.min(1, (double) USUAL_JDKS / jdks);
        return new EnginePlan(
                launches, (long) (warmupMs * factor), (long) (withoutAgentMs * factor), (long) (withAgentMs * factor));
    }
}
