// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

/**
 * The verdict on a source.
 *
 * @param readNs the cost of reading user and CPU time from Java, 0 if the source is not sound
 * @param stepNs the step by which user time moves, 0 if it is not known
 * @param says the native library's words
 */
public record SourceVerdict(String source, Reason reason, double readNs, long stepNs, String says) {
    boolean isSound() {
        return reason == Reason.SOUND;
    }
}
