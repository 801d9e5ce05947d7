// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.util.List;

/**
 * Threads start and end, while others ask for the times of the living and the ended, each in one way, and judge the
 * answers. Some have started and ended already at the gate "begin", where the agent may be attached.
 */
public final class ChurnLaws {
    /** Without this pause, the threads that ask would leave too little of few CPUs to those that start and end. */
    private static final long PAUSE_NS = 20_000;

    private static final int THREADS = Integer.getInteger("threadclock.it.threads", 0);

    private final Churn churn = new Churn();
    private List<Hammer> hammers;
    private volatile boolean stopping;

    ChurnLaws() throws InterruptedException {}

    /** Of so many threads as a property says. */
    void isSurvivedWithTheTruth() throws IOException, InterruptedException {
        begin(PAUSE_NS);
        churnUntil(THREADS);
        end();
    }

    /** Until the gate opens, where the agent may come and go, and those who ask make no pause. */
    void isSurvivedUntilTheGateOpens() throws IOException, InterruptedException {
        begin(0);
        churnUntilTheGateOpens();
        end();
    }

    private void begin(long pauseNs) throws IOException {
        Gate.await("begin");
        hammers = Hammer.allOn(churn, pauseNs);
        hammers.forEach(Hammer::start);
    }

    private void churnUntilTheGateOpens() throws IOException, InterruptedException {
        Thread churning = new Thread(() -> churnUntil(Integer.MAX_VALUE));
        churning.start();
        Gate.await("churning");
        stopping = true;
        churning.join();
    }

    private void churnUntil(int wanted) {
        try {
            while (!stopping && churn.started() < wanted) {
                churn.next();
            }
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }

    private void end() throws InterruptedException {
        for (Hammer hammer : hammers) {
            hammer.end();
        }
        churn.end();
        hammers.forEach(Hammer::assertThatAllToldTheTruth);
    }
}
