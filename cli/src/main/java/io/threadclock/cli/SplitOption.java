// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.TimeSplit;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A split in the agent's form: its name, and for {@code sampled} a period after it, as in {@code sampled:1ms}. */
final class SplitOption implements ITypeConverter<String> {
    /** The bounds that clock/settings.h of the native library has. */
    static final String PERIOD_LEAST = "90us";

    static final String PERIOD_MOST = "10ms";

    private static final String SAMPLED = TimeSplit.SAMPLED.name().toLowerCase(Locale.ROOT);
    private static final List<String> NAMES = Arrays.stream(TimeSplit.values())
            .filter(split -> split != TimeSplit.THREAD_MX_BEAN)
            .map(split -> split.name().toLowerCase(Locale.ROOT))
            .toList();
    private static final TimeSpan PERIOD = new TimeSpan(PERIOD_LEAST, PERIOD_MOST);

    @Override
    public String convert(String text) {
        String[] parts = text.split(":", 2);
        String name = parts[0].toLowerCase(Locale.ROOT);
        if (!NAMES.contains(name)) {
            throw new TypeConversionException(
                    "expected one of " + NAMES + ", or as in sampled:1ms, but was '" + text + "'");
        }
        if (parts.length == 1) {
            return name;
        }
        if (!name.equals(SAMPLED)) {
            throw new TypeConversionException("'" + text + "': only sampled takes a period, as in sampled:1ms");
        }
        return name + ":" + TimeSpan.text(PERIOD.convert(parts[1]));
    }

    /** The words that a shell completes. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return NAMES.iterator();
        }
    }
}
