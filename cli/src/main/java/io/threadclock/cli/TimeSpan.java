// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time in the form of all commands: a number with a unit, or without one for seconds, within the option's bounds. */
public class TimeSpan implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ns|us|ms|s|m|h|d)?");
    private static final String SECONDS = "s";
    private static final Map<String, Duration> UNITS = new LinkedHashMap<>();

    static {
        UNITS.put("d", Duration.ofDays(1));
        UNITS.put("h", Duration.ofHours(1));
        UNITS.put("m", Duration.ofMinutes(1));
        UNITS.put(SECONDS, Duration.ofSeconds(1));
        UNITS.put("ms", Duration.ofMillis(1));
        UNITS.put("us", Duration.ofNanos(1_000));
        UNITS.put("ns", Duration.ofNanos(1));
    }

    private final Duration least;
    private final Duration most;

    protected TimeSpan(Duration least, Duration most) {
        this.least = least;
        this.most = most;
    }

    /** Bounds in the form of the times themselves. */
    TimeSpan(String least, String most) {
        this(parse(least), parse(most));
    }

    @Override
    public Duration convert(String text) {
        Duration time = parse(text);
        if (time.compareTo(least) < 0 || time.compareTo(most) > 0) {
            throw new TypeConversionException("'" + text + "' is not from " + text(least) + " to " + text(most));
        }
        return time;
    }

    private static Duration parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new TypeConversionException("'" + text + "' is no time, as in 500ms, 10s, 1.5m, 8h or 7d");
        }
        Duration unit = UNITS.get(form.group(2) == null ? SECONDS : form.group(2));
        BigDecimal seconds = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(unit.toNanos(), 9));
        return Duration.ofSeconds(
                seconds.longValue(),
                seconds.remainder(BigDecimal.ONE).movePointRight(9).longValue());
    }

    /** The time as a user would write it. */
    public static String text(Duration time) {
        for (Map.Entry<String, Duration> unit : UNITS.entrySet()) {
            long count = time.dividedBy(unit.getValue());
            if (count > 0 && unit.getValue().multipliedBy(count).equals(time)) {
                return count + unit.getKey();
            }
        }
        return "0s";
    }
}
