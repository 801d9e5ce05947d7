// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.attach.Attachment;
import io.threadclock.cli.attach.JvmStart;
import io.threadclock.cli.attach.LibraryFile;
import io.threadclock.cli.attach.SourceNames;
import io.threadclock.cli.doctor.MachineFacts;
import io.threadclock.cli.doctor.ProcessLimits;
import io.threadclock.cli.process.KernelFiles;
import io.threadclock.cli.process.Pid;
import io.threadclock.cli.process.Printer;
import io.threadclock.cli.process.Proc;
import io.threadclock.cli.process.Target;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code threadclock attach PID}. */
@Command(
        name = "attach",
        header = "Make the ThreadMXBean of a running JVM fast, without a restart.",
        description = {
            "From now on its ThreadMXBean answers from threadclock. If the agent is already attached, it applies the new"
                    + " options.%n"
        },
        exitCodeList = {"0:attached", "1:not attached; one line says why, and what to do", "2:wrong usage"},
        footer = {
            "  threadclock attach 4711",
            "  threadclock attach --source=clock --split=sampled 4711",
            "  sudo threadclock attach 4711    # the JVM of another user, or in a container"
        })
final class Attach implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private AgentOptions agent;

    @Mixin
    private TargetOptions options;

    @Parameters(
            paramLabel = "PID",
            converter = Pid.Converter.class,
            description = "The JVM's process id; jps lists them.")
    private Pid pid;

    @Override
    public Integer call() {
        LibraryFile chosen = agent.library();
        Target target = JvmStart.awaitEnd(hotSpot(Proc.SYSTEM, pid), options.timeout());
        AttachReport.notice(target, chosen).ifPresent(line -> Printer.say(spec, line));
        Attachment attachment = new Attachment(target, options.timeout());
        Attachment.Attached attached = attachment.attach(chosen, agent.text());
        AttachReport report = new AttachReport(target, attached);
        Printer.out(spec).println(report.line("attached to", agent.namedSource()));
        report.notes().forEach(line -> Printer.say(spec, line));
        if (agent.measuresVirtual()) {
            Printer.say(spec, report.costOfVirtual());
            report.lostWakeUps().ifPresent(line -> Printer.say(spec, line));
        }
        boolean mayCall = ProcessLimits.of(KernelFiles.SYSTEM, target.files())
                .mayRefuseSources(MachineFacts.of(KernelFiles.SYSTEM));
        if (agent.namedSource().isEmpty() && attached.hasAnswered() && mayCall) {
            new ThreadReaders(target, options.timeout())
                    .source(chosen)
                    .filter(SourceNames.CLOCK::equals)
                    .ifPresent(calling -> Printer.say(spec, callsAlone()));
        }
        return ExitCode.OK;
    }

    /** The JDK's own calls may then be faster on JDK 26 and newer. */
    private String callsAlone() {
        return "process " + pid.number() + ": each of its readings is a system call; threadclock doctor " + pid.number()
                + " says why no better source is used, and what to do.";
    }

    static Target hotSpot(Proc proc, Pid pid) {
        return Target.of(proc, pid.number()).checked(Target::refuseOtherThanHotSpot);
    }
}
