// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SplitOptionTest {
    private static final Path SOURCE =
            Path.of(System.getProperty("threadclock.home", ".."), "threadclock-native/src/main/c/clock/settings.h");

    @Test
    void theBoundsAreThoseOfTheNativeLibrary() throws IOException {
        Map<String, Long> theirs = new TreeMap<>();
        Pattern.compile("#define TCLK_(\\w+)_NS INT64_C\\((\\d+)\\)")
                .matcher(Files.readString(SOURCE))
                .results()
                .forEach(found -> theirs.put(found.group(1), Long.valueOf(found.group(2))));
        assertThat(theirs)
                .containsEntry("SAMPLE_PERIOD_MIN", ns(SplitOption.PERIOD_LEAST))
                .containsEntry("SAMPLE_PERIOD_MAX", ns(SplitOption.PERIOD_MOST));
    }

    private static long ns(String text) {
        return new TimeSpan(text, text).convert(text).toNanos();
    }
}
