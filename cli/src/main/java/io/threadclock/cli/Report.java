// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.process.Printer;
import io.threadclock.recorder.Console;
import io.threadclock.recorder.QueryOutput;
import io.threadclock.recorder.RecordingPage;
import io.threadclock.recorder.RecordingReader;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code threadclock report}. */
@Command(
        name = "report",
        header = "Show what record has recorded.",
        description = {
            "Writes one HTML file that needs no network. It shows user and system time of each thread and pool over time and a"
                    + " table with sums and percentiles; it can zoom, filter, and compare two times. Pools of measured virtual"
                    + " threads stand below their carriers. record may be running.%n"
        },
        exitCodeList = {
            "0:done",
            "1:nothing was recorded, or it cannot be read; one line says why, and what to do",
            "2:wrong usage"
        },
        footer = {
            "  threadclock report",
            "  threadclock report --in='2026-11-21 20:15;10m' --output=evening.html",
            "  threadclock report --sql='select pool, sum(user_ns)/1e9 user_s from samples join names on (jvm, thread) group by pool'",
            "  threadclock report --serve"
        })
final class Report implements Callable<Integer> {
    private static final int MOST_PORT = 65535;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--dir",
            paramLabel = "DIRECTORY",
            defaultValue = Record.DIRECTORY,
            description = "The directory of the recording. Default: ${DEFAULT-VALUE} in this folder.")
    private Path directory;

    @Mixin
    private TmpOption tmp;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            defaultValue = "threadclock-report.html",
            description = "The page to write. Default: ${DEFAULT-VALUE} in this folder.")
    private Path output;

    @Option(
            names = "--in",
            paramLabel = "TIME",
            defaultValue = "",
            description = "Show only this time, as the page shows it: 2026-11-21, '2026-11-21 20', or with a length,"
                    + " '2026-11-21 20:15;10m'. In UTC, unless it has an offset: '2026-11-21 21:15 +01:00;10m'.")
    private String window;

    @Option(
            names = "--sql",
            paramLabel = "QUERY",
            description = "Print the database's answer to this query instead, as CSV.")
    private String sql;

    @Option(names = "--json", description = "With --sql: print one JSON object a line.")
    private boolean json;

    @Option(
            names = "--serve",
            paramLabel = "PORT",
            arity = "0..1",
            fallbackValue = "0",
            description =
                    "Open QuestDB's own web console instead, read-only and for this machine only. Default: any free port.")
    private Integer port;

    @Mixin
    private HelpOption help;

    @Override
    public Integer call() throws InterruptedException {
        refuseWrongUse();
        if (port != null) {
            serve();
        } else {
            read();
        }
        return ExitCode.OK;
    }

    private void refuseWrongUse() {
        if (json && sql == null) {
            throw new ParameterException(spec.commandLine(), "--json needs --sql");
        }
        if (port != null && (sql != null || port < 0 || port > MOST_PORT)) {
            throw new ParameterException(spec.commandLine(), "--serve takes a port, and no --sql");
        }
    }

    private void read() {
        Printer out = Printer.out(spec);
        try (RecordingReader reading = RecordingReader.open(directory)) {
            if (sql != null) {
                new QueryOutput(reading, sql, json).print(json ? out::json : out::println);
            } else {
                RecordingPage page = new RecordingPage(reading, window);
                page.write(output);
                out.println("wrote " + output + ": " + page.summary());
            }
        }
    }

    private void serve() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        ThreadClockCommand.onSignal(end::countDown);
        try (Console console = Console.open(directory, port)) {
            Printer out = Printer.out(spec);
            out.println("serving " + directory + " at " + console.page() + " until Ctrl-C");
            end.await();
        }
    }
}
