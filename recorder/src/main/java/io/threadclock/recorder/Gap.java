// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.Locale;

/**
 * A time of which less is known than was requested.
 *
 * @param beginUs since 1970
 * @param endUs since 1970
 * @param lostSamples number of missing samples; 0: unknown, because nobody sampled
 */
public record Gap(JvmName jvm, long beginUs, long endUs, Reason reason, long lostSamples) {
    /** The reason of a gap. */
    public enum Reason {
        /** The recorder was not there. */
        NOT_RECORDED,
        /** The recorder came late: the machine was busy. */
        LATE,
        /** The JVM did not answer: it was stopped, or the machine was busy. */
        SILENT,
        /** There was no room left: the present hour alone exceeds the limit. */
        FULL,
        /** The server did not accept the samples in time, and the buffer was full. */
        OVERFLOW;

        /** The name in the tables. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
