// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

/**
 * CPU usage: CPU time / wall time. 1 is a whole core.
 *
 * @param user the part that is user time
 * @param system the part that is system time
 */
public record Rate(double user, double system) {
    /** That of a thread or process that has been read once only. */
    static final Rate UNKNOWN = new Rate(Double.NaN, Double.NaN);

    /** The usage in an interval of that length. */
    static Rate of(long userNs, long systemNs, long elapsedNs) {
        return elapsedNs <= 0 ? UNKNOWN : new Rate((double) userNs / elapsedNs, (double) systemNs / elapsedNs);
    }

    public double cpu() {
        return user + system;
    }

    boolean isKnown() {
        return !Double.isNaN(cpu());
    }

    /** The sum of those that are known. */
    Rate plus(Rate other) {
        if (!isKnown() || !other.isKnown()) {
            return isKnown() ? this : other;
        }
        return new Rate(user + other.user, system + other.system);
    }
}
