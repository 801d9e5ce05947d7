// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

/**
 * One finding.
 *
 * @param subject one or two words
 * @param says one sentence, without a full stop
 * @param remedy what to do about it; empty: nothing
 */
public record Finding(Level level, String subject, String says, String remedy) {
    /** A finding without a remedy. */
    public static Finding of(Level level, String subject, String says) {
        return new Finding(level, subject, says, "");
    }
}
