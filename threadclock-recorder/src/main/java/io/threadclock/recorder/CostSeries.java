// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.BitSet;
import java.util.TreeMap;

/** The cost of one thread, or of several that are shown as one, or of virtual threads, in each slot of time. */
final class CostSeries {
    private final String jvm;
    private final String name;
    private final String pool;
    private final String kind;
    private final int tid;
    private int threads;
    private final TreeMap<Integer, double[]> slots = new TreeMap<>();
    private final TreeMap<Integer, Double> waits = new TreeMap<>();
    private final BitSet untold = new BitSet();

    /** @param tid 0 for several threads */
    CostSeries(String jvm, String name, String pool, String kind, int tid) {
        this.jvm = jvm;
        this.name = name;
        this.pool = pool;
        this.kind = kind;
        this.tid = tid;
    }

    void addThreads(int more) {
        threads += more;
    }

    /** @param mounts 0 unless they are virtual threads */
    void add(int slot, double userNs, double systemNs, double mounts) {
        double[] cost = slots.computeIfAbsent(slot, none -> new double[3]);
        cost[0] += userNs;
        cost[1] += systemNs;
        cost[2] += mounts;
    }

    void addWaiting(int slot, double waitingNs) {
        waits.merge(slot, waitingNs, Double::sum);
    }

    /** Marks a slot in which it has run, and it is not known how long it has waited. */
    void addUnknownWaiting(int slot) {
        untold.set(slot);
    }

    String jvm() {
        return jvm;
    }

    String name() {
        return name;
    }

    String pool() {
        return pool;
    }

    String kind() {
        return kind;
    }

    int tid() {
        return tid;
    }

    int threads() {
        return threads;
    }

    /** For each slot with a cost: ns of user time, ns of system time, and mounts. */
    TreeMap<Integer, double[]> slots() {
        return slots;
    }

    /** For each slot in which it has waited for a CPU: for how many ns. */
    TreeMap<Integer, Double> waits() {
        return waits;
    }

    /** The slots of which it is not known. */
    BitSet untoldWaits() {
        return untold;
    }
}
