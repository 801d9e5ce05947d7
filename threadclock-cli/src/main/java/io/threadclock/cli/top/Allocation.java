// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

/**
 * What threads have allocated, as the JVM tells it: in three digits or more.
 *
 * @param bytes since they started
 * @param bytesPerS in the last interval; NaN: not known
 */
public record Allocation(long bytes, double bytesPerS) {
    /** Of those that are known; null if neither is. */
    static Allocation sum(Allocation one, Allocation other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        double known = Double.isNaN(one.bytesPerS) ? 0 : one.bytesPerS;
        return new Allocation(
                one.bytes + other.bytes, Double.isNaN(other.bytesPerS) ? one.bytesPerS : known + other.bytesPerS);
    }

    /** Grows with the bytes in the interval, and where these are the same or not known, with all bytes. */
    double rank() {
        return (Double.isNaN(bytesPerS) ? 0 : bytesPerS) + bytes / 1e18;
    }
}
