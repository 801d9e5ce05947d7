// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

/**
 * The verdict on a source.
 *
 * @param readNs the cost of reading user and CPU time, 0 if the source is not sound
 * @param says the native library's words
 */
public record SourceVerdict(String source, Reason reason, double readNs, String says) {
    boolean isSound() {
        return reason == Reason.SOUND;
    }
}
