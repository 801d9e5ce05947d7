// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import io.threadclock.CpuStopwatch;
import java.util.concurrent.atomic.LongAdder;

/** Steps of a request that work in whatever thread runs them, each measured by a stopwatch of its own. */
final class MeasuredSteps {
    private static final int ROUNDS = 20_000_000;

    private final LongAdder cpuNs = new LongAdder();

    long step() {
        CpuStopwatch watch = new CpuStopwatch();
        watch.start();
        long sum = 0;
        for (int i = 0; i < ROUNDS; i++) {
            sum += (long) i * i % 7;
        }
        watch.stop();
        cpuNs.add(watch.cpuTimeNs());
        return sum;
    }

    /** Prints what the account has of the request, and what its steps have used. */
    void print(String request, CpuAccount account) {
        account.close(); // the request is over
        AccountUsage usage = account.read();
        System.out.printf(
                "%s: CPU %,d ns, of them its steps %,d ns; parts %d, threads %d%n",
                request, usage.cpuTimeNs(), cpuNs.sum(), usage.parts(), usage.threads());
    }
}
