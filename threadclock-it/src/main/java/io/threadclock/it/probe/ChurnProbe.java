// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Threads start and end, while others ask for the times of the living and the ended, each in one way, and judge the
 * answers.
 *
 * <p>Argument: how many threads; 0: until a line comes after "churning" was printed, and those who ask make no pause.
 */
public final class ChurnProbe {
    /** Without it the threads that ask would leave too little of few CPUs to those that start and end. */
    private static final long PAUSE_NS = 20_000;

    private ChurnProbe() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int wanted = Integer.parseInt(arguments[0]);
        Churn churn = new Churn();
        List<Hammer> hammers = new ArrayList<>();
        for (Hammer.Way way : Hammer.Way.values()) {
            Hammer hammer = new Hammer(way, churn, wanted == 0 ? 0 : PAUSE_NS);
            hammer.start();
            hammers.add(hammer);
        }
        System.out.println("churning");
        while (wanted == 0 ? System.in.available() == 0 : churn.started() < wanted) {
            churn.next();
        }
        for (Hammer hammer : hammers) {
            hammer.end();
        }
        churn.end();
        Fact.print("threads", churn.started());
        hammers.forEach(Hammer::print);
    }
}
