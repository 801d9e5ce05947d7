// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.Locale;

/**
 * A time of which less is known than was asked for.
 *
 * @param beginUs since 1970
 * @param endUs since 1970
 * @param lostSamples how many are missing; 0: nobody knows, for nobody looked
 */
public record Gap(JvmName jvm, long beginUs, long endUs, Reason reason, long lostSamples) {
    /** Why. */
    public enum Reason {
        /** The recorder was not there. */
        NOT_RECORDED,
        /** The recorder came late: the machine was busy. */
        LATE,
        /** The JVM did not answer: it was stopped, or the machine was busy. */
        SILENT,
        /** There was no room left: the hour that is running alone is greater than what may be kept. */
        FULL,
        /** The server elsewhere did not take them in time, and the buffer was full. */
        OVERFLOW;

        /** As it is in the tables. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
