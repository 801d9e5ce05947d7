// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

/**
 * How much to measure of snapshots.
 *
 * @param rounds for each number of threads
 * @param sliceMs length of a round
 * @param warmupMs how long each number of threads is read before anything counts
 */
record SnapshotPlan(int rounds, long sliceMs, long warmupMs) {
    static final SnapshotPlan QUICK = new SnapshotPlan(5, 40, 150);
    static final SnapshotPlan USUAL = new SnapshotPlan(9, 100, 500);
    static final SnapshotPlan FULL = new SnapshotPlan(21, 200, 1000);
}
