// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Reads user time, then CPU time, again and again, and counts what is not allowed.
 *
 * <p>Arguments: the number of threads (0: the main thread) and the pairs of readings of each.
 */
public final class ReadingsProbe {
    private ReadingsProbe() {}

    public static void main(String[] arguments) throws InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        int pairs = Integer.parseInt(arguments[1]);
        List<Readings> readings = threads == 0 ? ofThisThread(pairs) : ofThreads(threads, pairs);
        Readings.printLaws(readings);
        Fact.print("userStill", readings.stream().mapToLong(Readings::userStill).sum());
        Fact.print(
                "leastUserNs",
                readings.stream().mapToLong(Readings::lastUserNs).min().orElse(-1));
        Fact.print(
                "leastCpuNs",
                readings.stream().mapToLong(Readings::lastCpuNs).min().orElse(-1));
    }

    private static List<Readings> ofThisThread(int pairs) {
        Readings readings = new Readings(pairs);
        readings.run();
        return Collections.singletonList(readings);
    }

    private static List<Readings> ofThreads(int count, int pairs) throws InterruptedException {
        List<Readings> readings = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            readings.add(new Readings(pairs));
            threads.add(new Thread(readings.get(i)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        return readings;
    }
}
