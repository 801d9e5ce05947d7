// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

/**
 * CPU usage: CPU time / wall time. 1 is a whole core.
 *
 * @param user the part that is user time
 * @param system the part that is system time
 */
public record Rate(double user, double system) {
    static final Rate NONE = new Rate(0, 0);

    /** The usage in an interval of that length. */
    static Rate of(long userNs, long systemNs, long elapsedNs) {
        return elapsedNs <= 0 ? NONE : new Rate((double) userNs / elapsedNs, (double) systemNs / elapsedNs);
    }

    public double cpu() {
        return user + system;
    }

    Rate plus(Rate other) {
        return new Rate(user + other.user, system + other.system);
    }
}
