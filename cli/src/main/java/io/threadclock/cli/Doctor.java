// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.attach.LibraryFile;
import io.threadclock.cli.attach.LibraryPath;
import io.threadclock.cli.attach.StatusPages;
import io.threadclock.cli.doctor.ClockTrial;
import io.threadclock.cli.doctor.Diagnosis;
import io.threadclock.cli.doctor.DiagnosisText;
import io.threadclock.cli.doctor.Examination;
import io.threadclock.cli.doctor.JvmFacts;
import io.threadclock.cli.doctor.JvmInspection;
import io.threadclock.cli.doctor.Level;
import io.threadclock.cli.doctor.MachineFacts;
import io.threadclock.cli.doctor.ProcessLimits;
import io.threadclock.cli.process.JvmKind;
import io.threadclock.cli.process.KernelFiles;
import io.threadclock.cli.process.Pid;
import io.threadclock.cli.process.Printer;
import io.threadclock.cli.process.Proc;
import io.threadclock.cli.process.ProcessFiles;
import io.threadclock.cli.process.StandardStream;
import io.threadclock.cli.process.Target;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code threadclock doctor [PID]}. */
@Command(
        name = "doctor",
        header = "Say what this machine and a process on it offer to threadclock, and what would improve it.",
        description = {
            "Checks kernel, tick, rseq, perf events, time-stamp counter and limits, tries every source, and says which one is"
                    + " used and why each better one is not. Green: as good as can be. Yellow: worth knowing. Red: figures are slow"
                    + " or wrong because of it; the remedy stands below.%n"
        },
        exitCodeList = {
            "0:checked, whatever was found",
            "1:not checked; one line says why",
            "2:wrong usage",
            "3:with --fail-on: something is yellow, and nothing red",
            "4:with --fail-on: something is red"
        },
        footer = {
            "  threadclock doctor",
            "  threadclock doctor 4711",
            "  threadclock doctor --fail-on=red 4711 || alert",
            "  threadclock doctor --json | jq .worst"
        })
final class Doctor implements Callable<Integer> {
    private static final int SOMETHING_IS_YELLOW = 3;
    private static final int SOMETHING_IS_RED = 4;
    private static final String CLEAR_LINE = "\u001b[K";

    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print all that was found as JSON, with every figure.")
    private boolean isJson;

    @Option(
            names = "--fail-on",
            paramLabel = "LEVEL",
            description = "End with status 3 or 4 if something has this level or a worse one: ${COMPLETION-CANDIDATES}."
                    + " Default: end with 0 whatever is found.")
    private Alarm alarm;

    /** The level from which on the exit status is not 0. */
    enum Alarm {
        RED(Level.RED),
        YELLOW(Level.YELLOW);

        private final Level least;

        Alarm(Level least) {
            this.least = least;
        }

        int status(Level worst) {
            if (worst.compareTo(least) < 0) {
                return ExitCode.OK;
            }
            return worst == Level.RED ? SOMETHING_IS_RED : SOMETHING_IS_YELLOW;
        }

        @Override
        public String toString() {
            return least.toString();
        }
    }

    @Parameters(
            paramLabel = "PID",
            arity = "0..1",
            converter = Pid.Converter.class,
            description =
                    "Also check this process, from outside. A JVM to which the agent is attached is asked for the source"
                            + " in use; any other program is looked at for the preloaded library.")
    private Pid pid;

    @Mixin
    private LibraryOption agent;

    @Mixin
    private TargetOptions options;

    @Override
    public Integer call() {
        tell("looking …");
        Diagnosis diagnosis = diagnosis();
        tell("");
        print(diagnosis, Printer.out(spec));
        return alarm == null ? ExitCode.OK : alarm.status(diagnosis.worst());
    }

    private void print(Diagnosis diagnosis, Printer out) {
        if (isJson) {
            out.json(diagnosis.json());
        } else {
            out.draw(new DiagnosisText(Ansi.AUTO).text(diagnosis));
            out.flush();
        }
    }

    /** Prints only on a terminal, in a line that the next one overwrites. */
    private void tell(String progress) {
        if (StandardStream.ERR.isTerminal()) {
            Printer.err(spec).draw("\r" + CLEAR_LINE + progress);
            Printer.err(spec).flush();
        }
    }

    private Diagnosis diagnosis() {
        LibraryFile own = agent.library();
        Target target = pid == null ? null : target();
        Examination examined = ClockTrial.of(agent.own().path());
        MachineFacts machine = MachineFacts.of(KernelFiles.SYSTEM);
        if (target == null) {
            return Diagnosis.ofMachine(machine, ProcessLimits.of(KernelFiles.SYSTEM, ProcessFiles.self()), examined);
        }
        Diagnosis diagnosis = diagnosis(target, own, machine, examined);
        if (target.hasEnded()) {
            throw target.ended(); // and what was read of it since is nothing
        }
        return diagnosis;
    }

    private Diagnosis diagnosis(Target target, LibraryFile own, MachineFacts machine, Examination examined) {
        if (target.kind() == JvmKind.NONE) {
            ProcessLimits confines = ProcessLimits.of(KernelFiles.SYSTEM, target.files());
            return Diagnosis.ofProgram(machine, confines, examined, target);
        }
        tell("watching its threads for 1 s …");
        JvmFacts jvm = new JvmInspection(target).facts(machine, examined, () -> source(target, own));
        return Diagnosis.ofJvm(machine, examined, jvm);
    }

    /** A JVM in which this very library is not in use is not asked, because that would load it there. */
    private Optional<String> source(Target target, LibraryFile own) {
        boolean isInUse = StatusPages.isInUse(target).equals(Optional.of(true)) && LibraryPath.isLoadedIn(target, own);
        return isInUse ? new ThreadReaders(target, options.timeout()).source(own) : Optional.empty();
    }

    private Target target() {
        Target target = Target.of(Proc.SYSTEM, pid.number());
        target.refuseHidden();
        if (target.kind() != JvmKind.NONE) {
            target.refuseOtherThanHotSpot();
        }
        return target;
    }
}
