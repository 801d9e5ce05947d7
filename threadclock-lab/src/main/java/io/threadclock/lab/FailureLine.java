// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.harness.EndingException;
import io.threadclock.harness.SetupException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** What is not as it has to be is told in one line, and the end after Ctrl-C not at all. */
final class FailureLine implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) throws Exception {
        if (failure instanceof EndingException) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        if (!(failure instanceof SetupException)) {
            throw failure;
        }
        command.getErr().println(command.getCommandName() + ": " + failure.getMessage());
        return CommandLine.ExitCode.SOFTWARE;
    }
}
