// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.process.Printer;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code threadclock help [COMMAND]}. */
@Command(
        name = "help",
        header = "Show this help, or the help of a command.",
        exitCodeList = {"0:shown", "2:there is no such command"},
        footer = {"  threadclock help", "  threadclock help record"})
final class Help implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Parameters(paramLabel = "COMMAND", arity = "0..1", description = "The command. Default: a list of all commands.")
    private String name;

    @Override
    public Integer call() {
        CommandLine root = spec.parent().commandLine();
        CommandLine command = name == null ? root : root.getSubcommands().get(name);
        if (command == null) {
            throw new ParameterException(spec.commandLine(), "there is no command '" + name + "'");
        }
        show(command);
        return ExitCode.OK;
    }

    static void show(CommandLine command) {
        Printer out = Printer.out(command.getCommandSpec());
        out.draw(command.getUsageMessage());
        out.flush();
    }
}
