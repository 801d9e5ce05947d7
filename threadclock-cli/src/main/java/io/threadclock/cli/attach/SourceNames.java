// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.ClockSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The clock's sources as the agent names and numbers them: those of the library, behind {@code auto}. */
public final class SourceNames {
    /** Chooses the best one that works. */
    public static final String AUTO = "auto";

    /** By number. */
    public static final List<String> ALL = Stream.concat(
                    Stream.of(AUTO),
                    Arrays.stream(ClockSource.values())
                            .filter(source -> source != ClockSource.THREAD_MX_BEAN)
                            .map(source -> source.name().toLowerCase(Locale.ROOT)))
            .toList();

    private SourceNames() {}
}
