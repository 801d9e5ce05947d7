// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.ArrayList;
import java.util.List;

/** Reads a known number of times. Arguments: threads, and the pairs of readings of each. */
public final class CallsProbe {
    private CallsProbe() {}

    public static void main(String[] arguments) throws InterruptedException {
        int count = Integer.parseInt(arguments[0]);
        int pairs = Integer.parseInt(arguments[1]);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(new Thread(new Readings(pairs)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        Fact.print("calls", 2L * count * pairs);
    }
}
