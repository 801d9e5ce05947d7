// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Starts threads that end at once, one after the other. Each request is for how many ms; answers the ns of one. */
public final class ThreadStarts {
    private ThreadStarts() {}

    public static void main(String[] arguments) throws IOException {
        Answer.toEachLine(line -> Double.toString(nsPerThread(Long.parseLong(line))));
    }

    static double nsPerThread(long durationMs) {
        long threads = 0;
        long elapsedNs;
        long beginNs = System.nanoTime();
        do {
            startAndJoin();
            threads++;
            elapsedNs = System.nanoTime() - beginNs;
        } while (elapsedNs < TimeUnit.MILLISECONDS.toNanos(durationMs));
        return (double) elapsedNs / threads;
    }

    private static void startAndJoin() {
        Thread thread = new Thread(() -> {});
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }
}
