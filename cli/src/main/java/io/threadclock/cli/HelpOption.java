// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import picocli.CommandLine.Option;

/** The option that each command has. */
final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;
}
