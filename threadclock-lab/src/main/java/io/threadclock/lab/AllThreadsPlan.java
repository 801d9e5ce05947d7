// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

/**
 * How much to measure of what is about other threads than the calling one.
 *
 * @param launches how often the JVMs are started anew for reads by id and for yields
 * @param rounds rounds with each set of JVMs
 * @param sliceMs length of one JVM's part in a round
 * @param warmupMs how long each JVM runs each of its loops before anything counts
 * @param startRounds rounds of starting threads: what one takes varies a lot
 * @param attachments how many JVMs of each size are attached to
 */
record AllThreadsPlan(int launches, int rounds, long sliceMs, long warmupMs, int startRounds, int attachments) {
    static final AllThreadsPlan QUICK = new AllThreadsPlan(1, 3, 20, 60, 9, 1);
    static final AllThreadsPlan USUAL = new AllThreadsPlan(2, 5, 35, 120, 31, 3);
    static final AllThreadsPlan FULL = new AllThreadsPlan(3, 11, 60, 300, 61, 5);

    AllThreadsPlan times(double factor) {
        return new AllThreadsPlan(
                launches, rounds, (long) (sliceMs * factor), (long) (warmupMs * factor), startRounds, attachments);
    }
}
