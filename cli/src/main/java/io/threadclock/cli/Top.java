// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.process.JvmList;
import io.threadclock.cli.process.Pid;
import io.threadclock.cli.process.Printer;
import io.threadclock.cli.process.Proc;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import io.threadclock.cli.threads.ProcThreadReader;
import io.threadclock.cli.threads.ProcessEnded;
import io.threadclock.cli.threads.ProcessSilent;
import io.threadclock.cli.threads.ThreadReader;
import io.threadclock.cli.top.Batch;
import io.threadclock.cli.top.Order;
import io.threadclock.cli.top.ThreadTable;
import io.threadclock.cli.top.TopScreen;
import io.threadclock.cli.top.UsageMeter;
import io.threadclock.cli.top.WatchedProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code threadclock top [PID]}. */
@Command(
        name = "top",
        header = "Show what the threads of a JVM cost.",
        description = {
            "Shows all threads, the JVM's own included. The agent is attached while top runs; the JVM's ThreadMXBean stays as"
                    + " it is. Press ? for the keys.%n"
        },
        exitCodeList = {"0:done", "1:the JVM cannot be read; one line says why, and what to do", "2:wrong usage"},
        footer = {
            "  threadclock top                 # choose from the JVMs of this machine",
            "  threadclock top 4711",
            "  threadclock top --no-attach 4711",
            "  threadclock top --json -n 3 4711",
            "  threadclock top -b -n 1 --stacks=3 4711"
        })
final class Top implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-b", "--batch"},
            description = "Print tables for scripts instead of a screen; the columns stay the same.")
    private boolean batch;

    @Option(
            names = {"-n", "--iterations"},
            paramLabel = "N",
            description = "End after this many tables. Default: when the JVM ends.")
    private long iterations;

    @Option(
            names = {"-d", "--interval"},
            paramLabel = "TIME",
            defaultValue = "1s",
            converter = Interval.class,
            description = "Time between two tables, 0.1s to 60s; without a unit, seconds. Default: ${DEFAULT-VALUE}.")
    private Duration interval;

    @Option(
            names = "--json",
            description = "Like --batch, with one JSON object a line; times in ns, usage as a ratio of one core.")
    private boolean json;

    @Option(
            names = "--sort",
            paramLabel = "COLUMN",
            defaultValue = "cpu",
            description =
                    "Sort rows by one of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}. By alloc, the bytes allocated in the"
                            + " interval, only with --batch: the program stands still while the JVM writes its list of stacks.")
    private Order order;

    @Option(
            names = "--filter",
            paramLabel = "TEXT",
            defaultValue = "",
            description =
                    "Only threads with this text in their names, or of this kind: java, carrier, virtual, gc, jit, vm, native.")
    private String filter;

    @Option(
            names = "--fold",
            negatable = true,
            description =
                    "Print one line for each pool: threads whose names differ in numbers alone. The screen starts with pools.")
    private Boolean folds;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "2147483647",
            description = "With --batch: print at most this many rows.")
    private int limit;

    @Option(
            names = "--stacks",
            paramLabel = "N",
            description =
                    "With --batch: also print the stacks of the N threads that used the most CPU time in the interval. The"
                            + " program stands still while the JVM writes them.")
    private int stacks;

    @Mixin
    private ReaderOptions options;

    @Parameters(
            paramLabel = "PID",
            arity = "0..1",
            converter = Pid.Converter.class,
            description = "The JVM's process id. Without it, choose from a list.")
    private Pid pid;

    @Override
    public Integer call() {
        batch |= json;
        refuseWrongUse();
        Target target = options.target(Proc.SYSTEM, pid != null ? pid : jvms().choose(Printer.out(spec)));
        if (stacks > 0 || order == Order.ALLOC) {
            target.refuseHarm(); // what is read from outside has none
        }
        try (ThreadReader reader = options.reader(target)) {
            return batch ? print(reader, subject(target, reader)) : show(reader, subject(target, reader));
        }
    }

    private JvmList jvms() {
        return JvmList.of(Proc.SYSTEM, options.isFromOutside(), line -> Printer.say(spec, line));
    }

    private void refuseWrongUse() {
        if (iterations < 0 || limit < 1 || stacks < 0) {
            throw new ParameterException(spec.commandLine(), "a number is too small");
        }
        if (pid == null && batch) {
            throw new ParameterException(spec.commandLine(), "--batch and --json need a PID");
        }
        if ((stacks > 0 || order == Order.ALLOC) && (!batch || options.isFromOutside())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--stacks and --sort=alloc need --batch or --json, and ask the JVM, which --no-attach does not; the screen"
                            + " shows a stack by the key d");
        }
    }

    /** From outside, tids are those of this command's pid namespace. */
    private static WatchedProcess subject(Target target, ThreadReader reader) {
        String name = target.program();
        boolean sharesTids = reader instanceof ProcThreadReader || target.sharesTids();
        return new WatchedProcess(target.files(), target.pid(), name, sharesTids);
    }

    private ThreadTable table() {
        return new ThreadTable(order, filter, folds == null ? !batch : folds);
    }

    private int show(ThreadReader reader, WatchedProcess subject) {
        try {
            TopScreen.run(reader, subject, table(), interval);
        } catch (IOException noTerminal) {
            throw new Refusal("showing a screen", noTerminal.getMessage(), "Print tables by --batch.");
        }
        return ExitCode.OK;
    }

    private int print(ThreadReader reader, WatchedProcess subject) {
        Printer out = Printer.out(spec);
        Batch lines = new Batch(subject, table(), limit, stacks, json, out);
        UsageMeter meter = new UsageMeter();
        try {
            meter.take(reader.snapshot());
            for (long i = 0; iterations == 0 || i < iterations; i++) {
                TimeUnit.NANOSECONDS.sleep(interval.toNanos());
                lines.print(meter.take(reader.snapshot()), reader);
            }
        } catch (ProcessEnded | ProcessSilent end) {
            throw new Refusal(
                    "looking at the threads of process " + subject.pid(), end.getMessage(), "Look at another one.");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.OK;
    }

    private static final class Interval extends TimeSpan {
        Interval() {
            super(Duration.ofMillis(100), Duration.ofSeconds(60));
        }
    }
}
