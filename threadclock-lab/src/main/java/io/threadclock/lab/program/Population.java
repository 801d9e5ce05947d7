// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.harness.Exchange;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;

/** Holds threads. Each request is the number of threads from now on, and so is its answer. */
public final class Population {
    /** The work of each thread before it waits for ever. */
    public enum Deed {
        NOTHING,
        READS_ITSELF
    }

    public record Request(Deed deed, int threads) {}

    private int running;

    Population() {}

    public static void main(String[] arguments) throws IOException {
        Exchange.answerEach(Request.class, new Population()::increase);
    }

    int increase(Request request) {
        CountDownLatch ready = new CountDownLatch(request.threads() - running);
        for (; running < request.threads(); running++) {
            Thread thread = new Thread(() -> live(request.deed(), ready), "population");
            thread.setDaemon(true);
            thread.start();
        }
        await(ready);
        return running;
    }

    private static void live(Deed deed, CountDownLatch ready) {
        if (deed == Deed.READS_ITSELF) {
            ManagementFactory.getThreadMXBean().getCurrentThreadUserTime();
        }
        ready.countDown();
        await(new CountDownLatch(1));
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }
}
