// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Threads start and end, while others ask for the times of the living and the ended, each in one way, and judge the
 * answers. Some have started and ended already at the gate "begin", where the agent may be attached.
 *
 * <p>Argument: how many threads; 0: until the gate "churning" opens, where the agent may come and go, and those who ask
 * make no pause.
 */
public final class ChurnProbe {
    /** Without this pause, the threads that ask would leave too little of few CPUs to those that start and end. */
    private static final long PAUSE_NS = 20_000;

    private final Churn churn = new Churn();
    private final List<Hammer> hammers = new ArrayList<>();
    private volatile boolean stopping;

    private ChurnProbe() throws InterruptedException {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int wanted = Integer.parseInt(arguments[0]);
        ChurnProbe probe = new ChurnProbe();
        Gate.await("begin");
        probe.startHammers(wanted == 0 ? 0 : PAUSE_NS);
        if (wanted == 0) {
            probe.churnUntilTheGateOpens();
        } else {
            probe.churnUntil(wanted);
        }
        probe.end();
        Fact.print("threads", probe.churn.started());
        probe.hammers.forEach(Hammer::print);
    }

    private void startHammers(long pauseNs) {
        for (Hammer.Way way : Hammer.Way.values()) {
            Hammer hammer = new Hammer(way, churn, pauseNs);
            hammer.start();
            hammers.add(hammer);
        }
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
    }
}
