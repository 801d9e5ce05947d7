// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.concurrent.atomic.AtomicLong;

/**
 * One of a thread's times, as the thread reads it itself and as others read it. Every reader looks first at what has
 * been read so far, on either side: its own reading must not be less.
 */
final class ReadingOrder {
    private final Tallies tallies;
    private final AtomicLong readByOthersNs = new AtomicLong();
    private volatile long readByItselfNs;

    ReadingOrder(Tallies tallies) {
        this.tallies = tallies;
    }

    /** The greatest that others have read. To be asked before any reading. */
    long readByOthersNs() {
        return readByOthersNs.get();
    }

    /** The last that the thread has read. To be asked before others read. */
    long readByItselfNs() {
        return readByItselfNs;
    }

    /** The thread has read {@code nowNs}; before, others had read {@code othersBeforeNs}. */
    void own(long othersBeforeNs, long nowNs) {
        tallies.ownAfterOthers.atLeast(othersBeforeNs, nowNs);
        readByItselfNs = nowNs;
    }

    /** Another thread has read {@code nowNs}; before, the two sides had read this. */
    void others(long ownBeforeNs, long othersBeforeNs, long nowNs) {
        tallies.othersAfterOwn.atLeast(ownBeforeNs, nowNs);
        tallies.othersAfterOthers.atLeast(othersBeforeNs, nowNs);
        if (nowNs > readByOthersNs.get()) {
            readByOthersNs.accumulateAndGet(nowNs, Math::max);
        }
    }

    /** What became of all comparisons of one time, whichever the thread. */
    static final class Tallies {
        private final Tally ownAfterOthers = new Tally();
        private final Tally othersAfterOwn = new Tally();
        private final Tally othersAfterOthers = new Tally();

        void print(String name) {
            ownAfterOthers.print(name + ".ownAfterOthers");
            othersAfterOwn.print(name + ".othersAfterOwn");
            othersAfterOthers.print(name + ".othersAfterOthers");
        }
    }
}
