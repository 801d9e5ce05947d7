// SPDX-License-Identifier: Apache-2.0
package io.threadclock.boot;

/**
 * A platform thread that carries virtual ones: where its clock is written to, its last reading, and what is open on it.
 */
final class Carrier {
    final int tid;

    /** The address of its struct tclk_carrier. */
    final long page;

    /** CPU time of its last reading. */
    long cpuNs;

    /** User time of its last reading. */
    long userNs;

    /** The segment that is open; null between two. */
    Segment open;

    Carrier(int tid, long page) {
        this.tid = tid;
        this.page = page;
    }
}
