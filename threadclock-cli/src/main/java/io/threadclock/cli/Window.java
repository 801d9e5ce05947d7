// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The longest extrapolation, as the agent reads it, for instance {@code 4ms}. */
record Window(String text) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ns|us|ms)");
    private static final Map<String, Long> UNITS_NS = Map.of("ns", 1L, "us", 1_000L, "ms", 1_000_000L);
    /** The agent's own bounds; here, so that `run` refuses a wrong one before it starts the program. */
    private static final long MIN_NS = 100_000;
    private static final long MAX_NS = 100_000_000;

    static final class Converter implements ITypeConverter<Window> {
        @Override
        public Window convert(String text) {
            Matcher form = FORM.matcher(text);
            if (form.matches()) {
                long windowNs = Long.parseLong(form.group(1)) * UNITS_NS.get(form.group(2));
                if (windowNs >= MIN_NS && windowNs <= MAX_NS) {
                    return new Window(text);
                }
            }
            throw new TypeConversionException("'" + text + "' is no time from 100us to 100ms, with its unit: ns, us or ms");
        }
    }
}
