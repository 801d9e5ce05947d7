// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.attach.Attachment;
import io.threadclock.cli.attach.JavaStart;
import io.threadclock.cli.attach.JvmStart;
import io.threadclock.cli.attach.LibraryFile;
import io.threadclock.cli.attach.PreloadFile;
import io.threadclock.cli.process.LostWakeUp;
import io.threadclock.cli.process.Pid;
import io.threadclock.cli.process.Printer;
import io.threadclock.cli.process.Proc;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The part of {@code threadclock run -- PROGRAM} that works beside the program. The shell that was asked to run the
 * program starts this command with its own pid, waits for the word {@link #READY}, and then becomes the program (exec).
 * With {@code --preload} a path follows that word, which the shell adds to LD_PRELOAD, and with {@code --virtual} the
 * option by which java loads the agent at its start; nothing goes on beside then. Therefore signals, status and streams
 * are the program's own, and this command is neither its parent nor its child.
 */
@Command(
        name = "run",
        customSynopsis = "threadclock run [OPTION…] -- PROGRAM [ARGUMENT…]",
        header = "Run a program, and make it fast: attach to the JVM that it becomes, or preload the clock.",
        description = "The program takes the place of this command: signals, exit status, standard input and output are"
                + " its own. If it is a JVM, or becomes one by exec, the agent is attached as soon as the JVM has started."
                + " With --virtual, java is given it at its start where possible."
                + " With --preload it may be any program: what it and the programs that it starts ask libc of the CPU time"
                + " of threads is answered by the clock.%n",
        exitCodeList = {
            "  :the program's own, attached or not; a line on standard error says why not",
            "2:wrong usage; the program was not started",
            "127:there is no such program"
        },
        footer = {
            "  threadclock run -- java -jar app.jar",
            "  threadclock run --source=clock --verbose -- java -Xmx2g -cp app.jar app.Main",
            "  threadclock run --without-libc-rseq --source=ids -- java -jar app.jar",
            "  threadclock run --preload -- python3 app.py",
            "  threadclock run --virtual -- java -jar app.jar    # costs nothing more, except on JDK 24 and 25"
        })
final class Run implements Callable<Integer> {
    /** Printed when all options are understood, so that the program may start. */
    static final String READY = "ready";

    @Spec
    private CommandSpec spec;

    @Mixin
    private AgentOptions agent;

    @Mixin
    private TargetOptions options;

    @Option(names = "--verbose", description = "Say on standard error when it has been attached, too.")
    private boolean isVerbose;

    @Option(
            names = "--preload",
            description = "Start any program with libthreadclock-preload.so, by LD_PRELOAD, and attach to nothing. It"
                    + " goes with no other option but --library, beside which it is looked for.")
    private boolean isPreload;

    /** This option is for the shell, which becomes the program. */
    @Option(
            names = "--without-libc-rseq",
            description =
                    "Add glibc.pthread.rseq=0 to the program's GLIBC_TUNABLES: what the source ids needs where libc"
                            + " is glibc 2.35 or newer.")
    private boolean isWithoutLibcRseq;

    /** The shell can give the program, which is java, the agent. */
    @Option(names = "--from-start", hidden = true)
    private boolean isFromStart;

    @Option(names = "--pid", hidden = true, converter = Pid.Converter.class)
    private Pid pid;

    @Parameters(paramLabel = "PROGRAM", hidden = true)
    private List<String> program = new ArrayList<>();

    @Override
    public Integer call() {
        if (program.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "run: the program is missing; it follows --");
        }
        if (pid == null) {
            throw new ParameterException(spec.commandLine(), "run: -- is missing between the options and the program");
        }
        LibraryFile chosen = agent.library();
        if (isPreload) {
            return preload(chosen);
        }
        JavaStart start = JavaStart.of(program);
        Optional<String> given = isFromStart ? start.agentOption(chosen, agent.text()) : Optional.empty();
        if (given.isPresent()) {
            start.version()
                    .flatMap(LostWakeUp::told)
                    .ifPresent(told -> Printer.say(spec, told + ". " + LostWakeUp.REMEDY));
            Printer.out(spec).println(READY + " " + given.get());
            return ExitCode.OK;
        }
        Optional<Target> started = Target.ifAlive(Proc.SYSTEM, pid.number());
        Printer.out(spec).println(READY);
        if (started.flatMap(target -> attach(target, chosen)).isEmpty() && isVerbose) {
            Printer.say(spec, "process " + pid.number() + " ended before it was attached to");
        }
        return ExitCode.OK;
    }

    private int preload(LibraryFile own) {
        boolean isAlone = spec.commandLine().getParseResult().matchedOptions().stream()
                .allMatch(option -> Set.of("--preload", "--pid", "--library").contains(option.longestName()));
        if (!isAlone) {
            throw new ParameterException(spec.commandLine(), "run: --preload goes with no other option but --library");
        }
        PreloadFile library = PreloadFile.of(own, program.get(0), System.getenv());
        Printer.out(spec).println(READY + " " + library.path());
        return ExitCode.OK;
    }

    /** Empty if the program has ended first, which is not an error. */
    private Optional<Attachment.Attached> attach(Target target, LibraryFile chosen) {
        try {
            Target jvm = JvmStart.awaitJvm(target, options.timeout());
            AttachReport.notice(jvm, chosen).filter(told -> isVerbose).ifPresent(line -> Printer.say(spec, line));
            Attachment.Attached attached = new Attachment(jvm, options.timeout()).attach(chosen, agent.text());
            AttachReport report = new AttachReport(jvm, attached);
            if (agent.measuresVirtual()) {
                report.lostWakeUps().ifPresent(line -> Printer.say(spec, line));
            }
            if (isVerbose) {
                Printer.say(spec, report.line("attached to", agent.namedSource()));
                report.notes().forEach(line -> Printer.say(spec, line));
            }
            return Optional.of(attached);
        } catch (Refusal refusal) {
            if (target.hasEnded()) {
                return Optional.empty();
            }
            throw refusal;
        }
    }
}
