// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.harness.EndingException;
import io.threadclock.harness.LoadAverage;
import io.threadclock.harness.SetupException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** What the launcher's programs that measure have in common. */
public final class Driver {
    private Driver() {}

    /** Runs the command, and ends this JVM with its status. */
    public static void run(CommandLine command, String[] arguments) {
        // The tables hold signs beyond ASCII, and the locale of a container is often C.
        System.setOut(new PrintStream(System.out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(System.err, true, StandardCharsets.UTF_8));
        System.exit(command.execute(arguments));
    }

    /** What is not as it has to be ends it in one line. */
    public static CommandLine commandLine(Object command) {
        return new CommandLine(command).setExecutionExceptionHandler(Driver::tell);
    }

    /** What is not as it has to be is told in one line, and the end after Ctrl-C not at all. */
    private static int tell(Exception failure, CommandLine command, ParseResult parsed) throws Exception {
        if (failure instanceof EndingException) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        if (!(failure instanceof SetupException)) {
            throw failure;
        }
        command.getErr().println(command.getCommandName() + ": " + failure.getMessage());
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** The checkout. */
    public static Path home() {
        return Path.of(System.getenv().getOrDefault("THREADCLOCK_HOME", "."))
                .toAbsolutePath()
                .normalize();
    }

    /** Before it measures and again below the figures: nobody looks at what was said a quarter of an hour ago. */
    public static void warnOfLoad(CommandSpec command) {
        LoadAverage.before()
                .warning(Runtime.getRuntime().availableProcessors())
                .ifPresent(warning -> command.commandLine().getErr().println(command.name() + ": " + warning));
    }

    /** The command as it was typed. The launcher knows best: it resolves some options itself. */
    public static String typed(CommandSpec command) {
        String arguments =
                String.join(" ", command.commandLine().getParseResult().originalArgs());
        String own = "./" + command.name() + " " + arguments;
        return System.getenv().getOrDefault("THREADCLOCK_COMMAND", own.strip());
    }
}
