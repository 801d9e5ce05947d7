// SPDX-License-Identifier: Apache-2.0
package io.threadclock.boot;

/**
 * The cost of a virtual thread up to some moment, in ns. One thread writes it before it is published, and nobody
 * afterwards. {@code jvm/virtual_clocks.c} writes both fields.
 */
class Total {
    /** Stands in place of a total that is lost for good. */
    static final Total LOST = new Total(-1, -1);

    static final Total NOTHING = new Total(0, 0);

    long cpuNs;
    long userNs;

    Total() {}

    private Total(long cpuNs, long userNs) {
        this.cpuNs = cpuNs;
        this.userNs = userNs;
    }

    /** Creates a total that may be written again. */
    final Total copy() {
        return new Total(cpuNs, userNs);
    }

    final boolean isLost() {
        return cpuNs < 0;
    }

    /** A total that somebody has been told while the segment goes on. The end of the segment is not less. */
    static final class Floor extends Total {}

    /**
     * The end of a segment that is still open when the next one begins, and the place where the next one notes that.
     */
    static final class Overlap extends Total {
        final Segment before;

        Overlap(Segment before) {
            this.before = before;
        }
    }
}
