// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of the past is kept: so many bytes, and so long.
 *
 * @param bytes on the disk
 * @param age whole hours are dropped when their last moment is older
 */
public record RetentionLimits(long bytes, Duration age) {
    /** Room for a day of a busy JVM. */
    public static final long USUAL_BYTES = 4L << 30;

    /** Below this, QuestDB's own files take all the room. */
    public static final long LEAST_BYTES = 64L << 20;

    private static final Duration FOR_EVER = Duration.ofDays(100_000);
    private static final Pattern FORM = Pattern.compile("(\\d{1,6})([mghd])");
    private static final Map<String, Integer> SHIFTS = Map.of("m", 20, "g", 30);
    private static final Map<String, Duration> UNITS = Map.of("h", Duration.ofHours(1), "d", Duration.ofDays(1));

    /**
     * Parses {@code 512m} or {@code 4g} as bytes, {@code 12h} or {@code 7d} as time, within the usual number of bytes.
     *
     * @throws IllegalArgumentException if the text has another form, or the limit is too small
     */
    public static RetentionLimits parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is neither a size, as in 512m or 4g, nor a time, as in 12h or 7d");
        }
        long count = Long.parseLong(form.group(1));
        Duration unit = UNITS.get(form.group(2));
        RetentionLimits keep = unit == null
                ? new RetentionLimits(count << SHIFTS.get(form.group(2)), FOR_EVER)
                : new RetentionLimits(USUAL_BYTES, unit.multipliedBy(count));
        if (keep.bytes < LEAST_BYTES || keep.age.isZero()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is too little: " + (LEAST_BYTES >> 20) + "m or 1h at least");
        }
        return keep;
    }
}
