// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

/**
 * Identifies a JVM among all that write into one database.
 *
 * @param program what it runs, in a word or two
 * @param startTicks when it started, since boot; a pid may be used again
 */
public record JvmName(String host, String program, int pid, long startTicks) {
    /** Its name in the tables. */
    public String key() {
        return host + "/" + program + "/" + pid + "-" + startTicks;
    }
}
