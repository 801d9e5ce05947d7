// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.ClockSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The clock's sources with the agent's names and numbers: those of the library, after {@code auto}. */
public final class SourceNames {
    /** The name that makes the clock choose the best source that works. */
    public static final String AUTO = "auto";

    public static final String RSEQ = "rseq";
    public static final String PERF = "perf";
    public static final String CLOCK = "clock";
    public static final String TICKS = "ticks";
    public static final String PROC = "proc";
    public static final String IDS = "ids";

    /** The names, in the order of their numbers. */
    public static final List<String> ALL = Stream.concat(
                    Stream.of(AUTO),
                    Arrays.stream(ClockSource.values())
                            .filter(source -> source != ClockSource.THREAD_MX_BEAN)
                            .map(source -> source.name().toLowerCase(Locale.ROOT)))
            .toList();

    private SourceNames() {}
}
