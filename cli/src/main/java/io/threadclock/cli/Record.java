// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.process.KernelFiles;
import io.threadclock.cli.process.Pid;
import io.threadclock.cli.process.Printer;
import io.threadclock.cli.process.Proc;
import io.threadclock.cli.process.Target;
import io.threadclock.cli.record.HeldRate;
import io.threadclock.cli.record.Recording;
import io.threadclock.cli.record.RecordingMessages;
import io.threadclock.cli.threads.ThreadReader;
import io.threadclock.recorder.JvmName;
import io.threadclock.recorder.RetentionLimits;
import io.threadclock.recorder.SampleSink;
import io.threadclock.recorder.Sender;
import io.threadclock.recorder.ServerAddress;
import io.threadclock.recorder.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code threadclock record PID}. */
@Command(
        name = "record",
        header = "Record what the threads of a JVM cost, for report.",
        description = {
            "Records until Ctrl-C or until the JVM ends. The agent is attached meanwhile; the JVM's ThreadMXBean stays as it is."
                    + " Samples that could not be taken in time are recorded as a gap. Measured virtual threads are recorded by"
                    + " the pools of their names, beside their carriers.%n"
        },
        exitCodeList = {
            "0:done, also after Ctrl-C or the end of the JVM",
            "1:the JVM cannot be read, or not everything could be written; one line says why, and what to do",
            "2:wrong usage"
        },
        footer = {
            "  threadclock record 4711",
            "  threadclock record --duration=1m --rate=100 4711",
            "  threadclock record --dir=/var/lib/threadclock --keep=7d 4711",
            "  threadclock record --to='http::addr=db.example:9000;' 4711",
            "  THREADCLOCK_TOKEN=… threadclock record --to='https::addr=db.example;' 4711"
        })
final class Record implements Callable<Integer> {
    static final String DIRECTORY = "threadclock-data";
    private static final int MOST_RATE = 100;
    private static final Duration FOR_EVER = Duration.ofDays(36500);

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--dir",
            paramLabel = "DIRECTORY",
            defaultValue = DIRECTORY,
            description = "The directory to write to; one record at a time. Default: ${DEFAULT-VALUE} in this folder.")
    private Path directory;

    @Option(
            names = "--rate",
            paramLabel = "HZ",
            defaultValue = "10",
            description =
                    "Samples a second, 1 to " + MOST_RATE + "; fewer, as it says when it begins, if the JVM cannot be"
                            + " read so often. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = Length.class,
            description = "End after this time, as in 90s, 10m or 8h. Default: on Ctrl-C.")
    private Duration duration = FOR_EVER;

    @Option(
            names = "--keep",
            paramLabel = "AMOUNT",
            defaultValue = "4g",
            converter = Kept.class,
            description =
                    "Drop the oldest hours beyond this size, as in 512m or 4g, or beyond this age, as in 12h or 7d (and 4g)."
                            + " Default: ${DEFAULT-VALUE}.")
    private RetentionLimits keep;

    @Mixin
    private TmpOption tmp;

    @Mixin
    private ServerOption server;

    @Option(names = "--json", description = "At the end, print a summary of the recording as JSON.")
    private boolean json;

    @Mixin
    private ReaderOptions options;

    @Parameters(
            paramLabel = "PID",
            converter = Pid.Converter.class,
            description = "The JVM's process id; jps lists them.")
    private Pid pid;

    @Override
    public Integer call() throws InterruptedException {
        if (rate < 1 || rate > MOST_RATE) {
            throw new ParameterException(spec.commandLine(), "--rate is 1 to " + MOST_RATE);
        }
        Optional<ServerAddress> to = server.address();
        Target target = options.target(Proc.SYSTEM, pid);
        JvmName jvm = new JvmName(target.proc().hostName(), target.program(), target.pid(), target.startTicks());
        SampleSink sink = to.isPresent() ? Sender.to(to.get()) : Store.open(directory, keep);
        RecordingMessages lines = new RecordingMessages(jvm, sink, Printer.out(spec), Printer.err(spec));
        String place = to.map(address -> "at " + address).orElse("in " + directory);
        Recording recording = record(target, jvm, sink, lines, place);
        lines.end(recording.progress(), json);
        // The total loss says more than the first refusal.
        sink.loss().or(recording::failure).ifPresent(failure -> {
            throw failure;
        });
        return ExitCode.OK;
    }

    /**
     * A signal ends the recording as the end of the time does: everything is written, and nothing is left in the JVM.
     */
    private Recording record(Target target, JvmName jvm, SampleSink sink, RecordingMessages lines, String place)
            throws InterruptedException {
        try (sink;
                ThreadReader reader = options.reader(target)) {
            int held = HeldRate.of(reader, rate);
            Duration interval = Duration.ofNanos(TimeUnit.SECONDS.toNanos(1) / held);
            Recording recording =
                    new Recording(reader, jvm, () -> target.files().quota(KernelFiles.SYSTEM), sink, interval);
            ThreadClockCommand.onSignal(recording::stop);
            lines.begin(held, rate, place);
            recording.run(duration, () -> lines.progress(recording.progress()));
            return recording;
        }
    }

    private static final class Kept implements ITypeConverter<RetentionLimits> {
        @Override
        public RetentionLimits convert(String text) {
            try {
                return RetentionLimits.parse(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(wrong.getMessage());
            }
        }
    }

    private static final class Length extends TimeSpan {
        Length() {
            super(Duration.ofMillis(1), FOR_EVER);
        }
    }
}
