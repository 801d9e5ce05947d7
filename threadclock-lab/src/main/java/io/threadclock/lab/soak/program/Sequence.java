// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

/** One reader's readings of one thread, in the order in which they came: each is held against the one before. */
final class Sequence {
    private final Breaches breaches;
    private final String reader;
    private long lastCpuNs;
    private long lastUserNs;

    Sequence(Breaches breaches, String reader) {
        this.breaches = breaches;
        this.reader = reader;
    }

    /** Another clock answers from now on. */
    void beginAnew() {
        lastCpuNs = 0;
        lastUserNs = 0;
    }

    /** Both times of one consistent reading. */
    void next(long cpuNs, long userNs, long systemNs) {
        breaches.check(userNs + systemNs != cpuNs, Breach.NO_SUM, reader, userNs + systemNs - cpuNs);
        long userGrowthNs = userNs - lastUserNs;
        long cpuGrowthNs = cpuNs - lastCpuNs;
        breaches.check(userGrowthNs > cpuGrowthNs, Breach.USER_ABOVE_CPU, reader, userGrowthNs - cpuGrowthNs);
        next(userNs, cpuNs);
    }

    /** User time, and CPU time read after it. */
    void next(long userNs, long cpuNs) {
        breaches.check(userNs < 0 || cpuNs < 0, Breach.WRONG_ANSWER, reader, Math.min(userNs, cpuNs));
        breaches.check(cpuNs < lastCpuNs, Breach.BACKWARDS, reader + ", CPU time", lastCpuNs - cpuNs);
        breaches.check(userNs < lastUserNs, Breach.BACKWARDS, reader + ", user time", lastUserNs - userNs);
        breaches.check(userNs > cpuNs, Breach.USER_ABOVE_CPU, reader, userNs - cpuNs);
        lastCpuNs = cpuNs;
        lastUserNs = userNs;
    }
}
