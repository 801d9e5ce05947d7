// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of each command that talks to a JVM. */
final class TargetOptions {
    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = Patience.class,
            description = "How long the JVM may take to be reached, and then to answer. Default: ${DEFAULT-VALUE}.")
    private Duration timeout;

    @Mixin
    private HelpOption help;

    Duration timeout() {
        return timeout;
    }

    private static final class Patience extends TimeSpan {
        Patience() {
            super(Duration.ofMillis(100), Duration.ofHours(1));
        }
    }
}
