// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.lab.program.Breaches.Breach;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The last times that a thread has read of itself, and the greatest that others have read of it. Every reader loads
 * both before it reads; its own reading must not be less. Only readings of threadclock's clock are noted here.
 */
final class ObservedThread {
    private final Breaches breaches;
    private final AtomicLong seenCpuNs = new AtomicLong();
    private final AtomicLong seenUserNs = new AtomicLong();
    private volatile Thread thread;

    ObservedThread(Breaches breaches) {
        this.breaches = breaches;
    }

    /** Called by the thread itself, before others read. */
    void isCallingThread() {
        thread = Thread.currentThread();
    }

    /** Null before it has begun. */
    Thread thread() {
        return thread;
    }

    /** Called before a reading. */
    Floor floor() {
        return new Floor(seenCpuNs.get(), seenUserNs.get());
    }

    /** Notes a reading; {@code floor} was loaded before it. */
    void show(Floor floor, long cpuNs, long userNs, String reader) {
        breaches.check(cpuNs < floor.cpuNs, Breach.OTHERS_DISAGREE, reader + ", CPU time", floor.cpuNs - cpuNs);
        breaches.check(userNs < floor.userNs, Breach.OTHERS_DISAGREE, reader + ", user time", floor.userNs - userNs);
        seenCpuNs.accumulateAndGet(cpuNs, Math::max);
        seenUserNs.accumulateAndGet(userNs, Math::max);
    }

    /** The times below which no reading may be. */
    record Floor(long cpuNs, long userNs) {}
}
