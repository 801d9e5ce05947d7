// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.lab.program.Breaches.Breach;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a thread has last read of itself, and the most that others have read of it. Every reader looks at both before it
 * reads: its own reading must not be less. Only readings of threadclock's clock are shown here.
 */
final class ObservedThread {
    private final Breaches breaches;
    private final AtomicLong seenCpuNs = new AtomicLong();
    private final AtomicLong seenUserNs = new AtomicLong();
    private volatile Thread thread;

    ObservedThread(Breaches breaches) {
        this.breaches = breaches;
    }

    /** To be called by the thread itself, before others read. */
    void isCallingThread() {
        thread = Thread.currentThread();
    }

    /** Null before it has begun. */
    Thread thread() {
        return thread;
    }

    /** To be asked before a reading. */
    Floor floor() {
        return new Floor(seenCpuNs.get(), seenUserNs.get());
    }

    /** What was read after {@code floor} had been asked. */
    void show(Floor floor, long cpuNs, long userNs, String reader) {
        breaches.check(cpuNs < floor.cpuNs, Breach.OTHERS_DISAGREE, reader + ", CPU time", floor.cpuNs - cpuNs);
        breaches.check(userNs < floor.userNs, Breach.OTHERS_DISAGREE, reader + ", user time", floor.userNs - userNs);
        seenCpuNs.accumulateAndGet(cpuNs, Math::max);
        seenUserNs.accumulateAndGet(userNs, Math::max);
    }

    /** What readings must not be below. */
    record Floor(long cpuNs, long userNs) {}
}
