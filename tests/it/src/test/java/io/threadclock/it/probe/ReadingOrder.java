// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.concurrent.atomic.AtomicLong;

/**
 * One of a thread's times, as the thread and others read it. Every reader first loads what has been read so far, on
 * either side; its own reading must not be less.
 */
final class ReadingOrder {
    private final Tallies tallies;
    private final AtomicLong readByOthersNs = new AtomicLong();
    private volatile long readByItselfNs;

    ReadingOrder(Tallies tallies) {
        this.tallies = tallies;
    }

    /** The greatest time that others have read. Call this before any reading. */
    long readByOthersNs() {
        return readByOthersNs.get();
    }

    /** The last time that the thread has read. Call this before others read. */
    long readByItselfNs() {
        return readByItselfNs;
    }

    /** Compares the thread's reading {@code nowNs} with what others had read before, {@code othersBeforeNs}. */
    void own(long othersBeforeNs, long nowNs) {
        tallies.ownAfterOthers.atLeast(othersBeforeNs, nowNs);
        readByItselfNs = nowNs;
    }

    /** Compares another thread's reading {@code nowNs} with what the two sides had read before. */
    void others(long ownBeforeNs, long othersBeforeNs, long nowNs) {
        tallies.othersAfterOwn.atLeast(ownBeforeNs, nowNs);
        tallies.othersAfterOthers.atLeast(othersBeforeNs, nowNs);
        if (nowNs > readByOthersNs.get()) {
            readByOthersNs.accumulateAndGet(nowNs, Math::max);
        }
    }

    /** The results of all comparisons of one time, for all threads. */
    static final class Tallies {
        final Tally ownAfterOthers = new Tally();
        final Tally othersAfterOwn = new Tally();
        final Tally othersAfterOthers = new Tally();
    }
}
