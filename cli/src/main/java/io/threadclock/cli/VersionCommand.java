// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.process.Printer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code threadclock version}. */
@Command(name = "version", header = "Show the version.", exitCodeList = "0:shown", footer = "  threadclock version")
final class VersionCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Override
    public Integer call() {
        spec.parent().commandLine().printVersionHelp(Printer.out(spec));
        return ExitCode.OK;
    }
}
