// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.cli.attach.SourceNames;
import io.threadclock.cli.doctor.UserTimeCall.Way;
import java.util.List;

/**
 * The answers of a JVM's own ThreadMXBean, measured inside the JVM. The library returns them as a number, whose bits
 * {@code jvm/measurement.h} explains.
 *
 * @param isOurs whether threadclock answers, and not the JDK
 * @param source the source that is in use there, or would be
 * @param userCallNs the cost of a call from native code
 */
public record ThreadMXBeanAnswers(boolean isOurs, String source, Way way, long userCallNs) {
    private static final int MEASURED = 1 << 30;
    private static final int OURS = 1 << 29;
    private static final int SOURCE_SHIFT = 26;
    private static final int WAY_SHIFT = 23;
    private static final int THREE_BITS = 7;
    private static final int NS_MASK = (1 << WAY_SHIFT) - 1;
    private static final List<Way> WAYS = List.of(Way.UNKNOWN, Way.PROC, Way.TICKS, Way.FINE, Way.UNSUPPORTED);

    /** Whether an agent's return code is such a number. */
    public static boolean isIn(int code) {
        return code > 0 && (code & MEASURED) != 0;
    }

    public static ThreadMXBeanAnswers of(int code) {
        return new ThreadMXBeanAnswers(
                (code & OURS) != 0,
                nth(SourceNames.ALL, code >> SOURCE_SHIFT & THREE_BITS, "?"),
                nth(WAYS, code >> WAY_SHIFT & THREE_BITS, Way.UNKNOWN),
                code & NS_MASK);
    }

    /** Whether threadclock answers, but each answer takes a system call. */
    public boolean isCalling() {
        return isOurs && source.equals(SourceNames.CLOCK);
    }

    /** Whether the source is for comparison only. */
    boolean isComparison() {
        return source.equals(SourceNames.TICKS) || source.equals(SourceNames.PROC);
    }

    private static <T> T nth(List<T> known, int number, T otherwise) {
        return number < known.size() ? known.get(number) : otherwise;
    }
}
