// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

/**
 * What is known of a source.
 *
 * @param readNs what a read of user and CPU time costs, 0 where it is not sound
 * @param says the native library's words
 */
public record SourceVerdict(String source, Reason reason, double readNs, String says) {
    boolean isSound() {
        return reason == Reason.SOUND;
    }
}
