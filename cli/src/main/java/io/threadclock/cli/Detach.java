// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.attach.Attachment;
import io.threadclock.cli.attach.LibraryFile;
import io.threadclock.cli.process.Pid;
import io.threadclock.cli.process.Printer;
import io.threadclock.cli.process.Proc;
import io.threadclock.cli.process.Target;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code threadclock detach PID}. */
@Command(
        name = "detach",
        header = "Put a JVM's own ThreadMXBean back.",
        description = "The library stays loaded, and hands every call to the JVM's own methods.%n",
        exitCodeList = {"0:detached", "1:not detached, or not attached before; one line says why", "2:wrong usage"},
        footer = "  threadclock detach 4711")
final class Detach implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private TargetOptions options;

    @Parameters(
            paramLabel = "PID",
            converter = Pid.Converter.class,
            description = "The JVM's process id; jps lists them.")
    private Pid pid;

    @Override
    public Integer call() {
        Target target = Attach.hotSpot(Proc.SYSTEM, pid);
        Attachment.Attached detached =
                new Attachment(target, options.timeout()).detach(LibraryFile.of(null, System.getenv()));
        Printer.out(spec).println(new AttachReport(target, detached).line("detached from", Optional.empty()));
        return ExitCode.OK;
    }
}
