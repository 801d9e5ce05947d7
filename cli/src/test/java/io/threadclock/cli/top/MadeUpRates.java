// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import static io.threadclock.cli.threads.MadeUp.S;
import static io.threadclock.cli.threads.MadeUp.pool;
import static io.threadclock.cli.threads.MadeUp.snapshot;
import static io.threadclock.cli.threads.MadeUp.thread;

import java.util.List;
import java.util.Map;

/** The usage of a made-up JVM's threads. */
final class MadeUpRates {
    private MadeUpRates() {}

    static ThreadRate usage(int tid, String name, double user, double system, long cpuNs) {
        return new ThreadRate(thread(tid, name, cpuNs, cpuNs / 2, 0), new Rate(user, system), null);
    }

    static ThreadRate waiting(double ratio, double switchesPerS, ThreadRate its) {
        return new ThreadRate(its.thread(), its.rate(), new WaitRate(ratio, switchesPerS));
    }

    /** With two pools of virtual threads, and their carriers' rest. */
    static UsageSample sampleWithPools(ThreadRate... usages) {
        UsageSample sample = sample(usages);
        List<PoolRate> pools = List.of(
                new PoolRate(pool(0, "(carriers' rest)", S, 0), new Rate(0.25, 0.25), 0),
                new PoolRate(pool(2, "idle-*", 0, 5), new Rate(0, 0), 0),
                new PoolRate(pool(3, "handler-*", 2 * S, 1000), new Rate(0.5, 0.125), 1234.5));
        return new UsageSample(
                sample.snapshot(), S, sample.threads(), sample.process(), sample.ownRatio(), pools, Map.of());
    }

    static UsageSample sample(ThreadRate... usages) {
        return new UsageSample(snapshot(S), S, List.of(usages), new Rate(0.75, 0.25), 0.001, List.of(), Map.of());
    }
}
