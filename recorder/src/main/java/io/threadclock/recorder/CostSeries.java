// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.BitSet;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The cost of one thread, or of several that are shown as one, or of virtual threads, in each slot of time.
 *
 * @param tid 0 for several threads
 * @param threads how many they are
 * @param slots for each slot with a cost: ns of user time, ns of system time, and mounts
 * @param waits for each slot in which it has waited for a CPU: for how many ns
 * @param untoldWaits the slots in which it has run, and it is not known how long it has waited
 */
record CostSeries(
        String jvm,
        String name,
        String pool,
        String kind,
        int tid,
        AtomicInteger threads,
        TreeMap<Integer, double[]> slots,
        TreeMap<Integer, Double> waits,
        BitSet untoldWaits) {
    CostSeries(String jvm, String name, String pool, String kind, int tid) {
        this(jvm, name, pool, kind, tid, new AtomicInteger(), new TreeMap<>(), new TreeMap<>(), new BitSet());
    }

    /** @param mounts 0 unless they are virtual threads */
    void add(int slot, double userNs, double systemNs, double mounts) {
        double[] cost = slots.computeIfAbsent(slot, none -> new double[3]);
        cost[0] += userNs;
        cost[1] += systemNs;
        cost[2] += mounts;
    }
}
