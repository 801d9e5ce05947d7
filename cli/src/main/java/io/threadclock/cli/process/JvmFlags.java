// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The {@code -XX:} switches that a JVM was started with, as far as its command line and environment show them. */
public record JvmFlags(List<String> words) {
    /** The variables by which options get into every JVM that is started. */
    public static final List<String> VARIABLES = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    public static JvmFlags of(ProcessFiles process) {
        List<String> words = new ArrayList<>();
        for (String setting : process.words("environ")) {
            int equals = setting.indexOf('=');
            if (equals > 0 && VARIABLES.contains(setting.substring(0, equals))) {
                words.addAll(List.of(setting.substring(equals + 1).split("\\s+")));
            }
        }
        words.addAll(process.words("cmdline"));
        return new JvmFlags(words);
    }

    /** The value of this flag; the last one counts. Empty if it does not occur. */
    Optional<String> value(String flag) {
        String beginning = "-XX:" + flag + "=";
        return words.stream()
                .filter(word -> word.startsWith(beginning))
                .reduce((former, latter) -> latter)
                .map(word -> word.substring(beginning.length()));
    }

    /** Whether this switch is on or off; the last one counts. Empty if it does not occur. */
    public Optional<Boolean> isOn(String flag) {
        Optional<Boolean> on = Optional.empty();
        for (String word : words) {
            if (word.equals("-XX:+" + flag)) {
                on = Optional.of(true);
            } else if (word.equals("-XX:-" + flag)) {
                on = Optional.of(false);
            }
        }
        return on;
    }
}
