// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.process.ClosedOutput;
import io.threadclock.cli.process.Printer;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.StandardStream;
import io.threadclock.recorder.StoreFailure;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.jline.utils.Signals;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;

/** {@code threadclock COMMAND}. Ends with 0 when done, 1 when it failed, 2 when it was called wrongly. */
@Command(
        name = "threadclock",
        description = {
            "Tells what each thread of a JVM has cost (user, system and CPU time) at the price of one read of the time-stamp"
                    + " counter. top shows it; record and report keep it. attach and run make the JVM's own ThreadMXBean"
                    + " fast, without a change to the program. doctor says what the machine and the JVM offer.%n"
        },
        subcommands = {
            Doctor.class,
            Attach.class,
            Detach.class,
            Run.class,
            Top.class,
            Record.class,
            Report.class,
            Export.class,
            Help.class,
            VersionCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = ThreadClockCommand.Version.class)
public final class ThreadClockCommand implements Runnable {
    /** Picocli's minimum. Longer lines would be hard to read. */
    private static final int NARROWEST = 55;

    private static final int WIDEST = 100;

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version and exit.")
    private boolean version;

    public static void main(String[] arguments) {
        CommandLine command = commandLine().setOut(StandardStream.OUT.printer()).setErr(StandardStream.ERR.printer());
        System.exit(command.execute(arguments));
    }

    /** Runs an action instead of the end of the program, when a signal asks for that. */
    static void onSignal(Runnable action) {
        for (String signal : new String[] {"INT", "TERM", "HUP"}) {
            Signals.register(signal, action);
        }
    }

    static CommandLine commandLine() {
        CommandLine root = new CommandLine(new ThreadClockCommand());
        for (CommandLine command : root.getSubcommands().values()) {
            command.getCommandSpec()
                    .usageMessage()
                    .sortOptions(false)
                    .exitCodeListHeading("%nExit status:%n")
                    .footerHeading("%nExamples:%n");
        }
        return root.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(Math.max(NARROWEST, Math.min(WIDEST, StandardStream.OUT.columns())))
                .setExecutionStrategy(ThreadClockCommand::run)
                .setParameterExceptionHandler(ThreadClockCommand::tellWrongUsage)
                .setExecutionExceptionHandler(
                        (failure, command, parsed) -> tell(failure, Printer.err(command.getCommandSpec())));
    }

    /** Picocli hands the failures of commands to {@link #tell}, but not those of its own help and version. */
    private static int run(ParseResult parsed) {
        try {
            return helpOrRun(parsed);
        } catch (ClosedOutput | Refusal failure) {
            return tell(failure, Printer.err(parsed.commandSpec()));
        }
    }

    /** Help is styled, and contains no text of other programs. */
    private static int helpOrRun(ParseResult parsed) {
        for (CommandLine command : parsed.asCommandLineList()) {
            if (command.isUsageHelpRequested()) {
                Help.show(command);
                return CommandLine.ExitCode.OK;
            }
        }
        return new RunLast().execute(parsed);
    }

    /** Prints nothing if nobody reads, a refusal as one line, and anything else with its stack trace. */
    private static int tell(Exception failure, Printer err) {
        if (failure instanceof StoreFailure its) {
            return tell(new Refusal(its.tried(), its.answer(), its.remedy()), err);
        }
        if (failure instanceof ClosedOutput) {
            return ClosedOutput.EXIT_STATUS;
        }
        if (failure instanceof Refusal) {
            err.println("threadclock: " + failure.getMessage());
        } else {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            trace.toString().lines().map(line -> line.replace("\t", "    ")).forEach(err::println);
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** Prints one line, because the whole help would scroll it out of sight. */
    private static int tellWrongUsage(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String message = wrong.getMessage().replaceFirst("[.]?$", ".");
        Printer.err(command.getCommandSpec())
                .println("threadclock: " + message + " How it is used: " + name + " --help");
        return CommandLine.ExitCode.USAGE;
    }

    /** The version in the jar's manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = ThreadClockCommand.class.getPackage().getImplementationVersion();
            return new String[] {"threadclock " + (version == null ? "(not packed)" : version)};
        }
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
