// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.TreeMap;

/** The cost of one thread, or of several that are shown as one, in each slot of time. */
final class CostSeries {
    private final String jvm;
    private final String name;
    private final String pool;
    private final String kind;
    private final int tid;
    private int threads;
    private final TreeMap<Integer, double[]> slots = new TreeMap<>();

    /** @param tid 0 for several threads */
    CostSeries(String jvm, String name, String pool, String kind, int tid) {
        this.jvm = jvm;
        this.name = name;
        this.pool = pool;
        this.kind = kind;
        this.tid = tid;
    }

    void addThread() {
        threads++;
    }

    void add(int slot, double userNs, double systemNs) {
        double[] times = slots.computeIfAbsent(slot, none -> new double[2]);
        times[0] += userNs;
        times[1] += systemNs;
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

    TreeMap<Integer, double[]> slots() {
        return slots;
    }
}
