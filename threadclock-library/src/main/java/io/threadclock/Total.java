// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * What a virtual thread has cost up to some moment, in ns. Written by one thread before it is published, never afterwards.
 * A field of {@code jvm/java_accounts.c}, which writes both.
 */
class Total {
    /** In place of one that nobody can tell any more. */
    static final Total LOST = new Total(-1, -1);

    static final Total NOTHING = new Total(0, 0);

    long cpuNs;
    long userNs;

    Total() {}

    private Total(long cpuNs, long userNs) {
        this.cpuNs = cpuNs;
        this.userNs = userNs;
    }

    /** Of one that may be written anew. */
    final Total copy() {
        return new Total(cpuNs, userNs);
    }

    final boolean isLost() {
        return cpuNs < 0;
    }

    /** Told of a segment that goes on: its end is not less. */
    static final class Floor extends Total {}

    /** For the end of a segment that has not ended when the next one begins; and where the next one notes it. */
    static final class Overlap extends Total {
        final Segment before;

        Overlap(Segment before) {
            this.before = before;
        }
    }
}
