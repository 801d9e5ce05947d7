// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What each command that talks to a JVM is told. */
final class TargetOptions {
    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "10",
            converter = Seconds.class,
            description = "How long the JVM may take to be reached, and then to answer. Default: ${DEFAULT-VALUE}.")
    private Duration timeout;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;

    Duration timeout() {
        return timeout;
    }

    static final class Seconds implements ITypeConverter<Duration> {
        private static final long MOST = 3600;

        @Override
        public Duration convert(String text) {
            if (text.matches("\\d{1,4}")) {
                long seconds = Long.parseLong(text);
                if (seconds >= 1 && seconds <= MOST) {
                    return Duration.ofSeconds(seconds);
                }
            }
            throw new TypeConversionException("'" + text + "' is no number of seconds from 1 to " + MOST);
        }
    }
}
