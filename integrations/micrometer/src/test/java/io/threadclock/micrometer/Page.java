// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** docs/metrics.md. */
final class Page {
    static final Path FILE = Path.of(System.getProperty("threadclock.home", "../.."), "docs/metrics.md");
    static final String TEXT = read();

    private Page() {}

    /** The blocks between ```LANGUAGE and ```. */
    static List<String> blocks(String language) {
        return Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$")
                .matcher(TEXT)
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    private static String read() {
        try {
            return Files.readString(FILE);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
