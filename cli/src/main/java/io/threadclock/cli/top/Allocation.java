// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

/**
 * Bytes that threads have allocated, as the JVM tells them: in three digits or more.
 *
 * @param bytes since they started
 * @param bytesPerS in the last interval; NaN: not known
 */
public record Allocation(long bytes, double bytesPerS) {
    /** The sum of those that are known; null if neither is. */
    static Allocation sum(Allocation one, Allocation other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return new Allocation(one.bytes + other.bytes, sum(one.bytesPerS, other.bytesPerS));
    }

    private static double sum(double one, double other) {
        return Double.isNaN(one) || Double.isNaN(other) ? (Double.isNaN(one) ? other : one) : one + other;
    }

    /** Grows with the bytes in the interval, and where these are the same or not known, with all bytes. */
    double rank() {
        return (Double.isNaN(bytesPerS) ? 0 : bytesPerS) + bytes / 1e18;
    }
}
