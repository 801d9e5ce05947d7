// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.ThreadTimes;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Takes snapshots of all threads, most of which are idle, and answers the mean ms of one. Only the snapshots are timed.
 * The threads stay, so requests are for more and more of them.
 */
public final class Snapshots {
    private static final double NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final DozingThreads threads = new DozingThreads();

    Snapshots() {}

    public static void main(String[] arguments) throws IOException {
        Snapshots snapshots = new Snapshots();
        Answer.toEachLine(line -> Double.toString(snapshots.msOfOne(SnapshotRequest.parse(line))));
    }

    double msOfOne(SnapshotRequest request) {
        threads.first(request.threads());
        long snapshots = 0;
        long takenNs = 0;
        long endNs = System.nanoTime() + request.durationNs();
        do {
            threads.wakeSomeOf(request.threads());
            long beginNs = System.nanoTime();
            ThreadTimes all = ThreadTimes.snapshot();
            takenNs += System.nanoTime() - beginNs;
            snapshots++;
            refuseUnlessOf(request.threads(), all);
        } while (System.nanoTime() - endNs < 0);
        return takenNs / NS_PER_MS / snapshots;
    }

    private static void refuseUnlessOf(int count, ThreadTimes all) {
        if (all.threads().size() < count) {
            throw new IllegalStateException(
                    "a snapshot of " + count + " threads has " + all.threads().size());
        }
    }
}
