// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.threadclock.cli.process.Printer;
import io.threadclock.cli.process.Refusal;
import io.threadclock.recorder.Console;
import io.threadclock.recorder.Ingestion;
import io.threadclock.recorder.ServerAddress;
import io.threadclock.recorder.StoreFailure;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code threadclock ingest}. */
@Command(
        name = "ingest",
        sortOptions = false,
        header = "Measure how many samples a second a QuestDB takes, to size one for a fleet.",
        description = {
            "Simulated JVMs send samples, in which every thread has done something, as fast as the server accepts them; the time"
                    + " ends when all samples can be queried. Without --to, a QuestDB is started for this and competes with the"
                    + " writers for the CPUs. With --to, the tables threadclock_ingest_… stay on the server.%n"
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:done", "1:the server does not take them; one line says why, and what to do", "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  threadclock ingest", "  threadclock ingest --to='http::addr=db.example:9000;' --jvms=50"})
final class Ingest implements Callable<Integer> {
    private static final String PREFIX = "threadclock_ingest_";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOption server;

    @Option(
            names = "--jvms",
            paramLabel = "N",
            defaultValue = "4",
            description = "Number of JVMs that write at the same time. Default: ${DEFAULT-VALUE}.")
    private int jvms;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "500",
            description = "Threads of each JVM. Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Option(
            names = {"--duration", "--seconds"},
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = Length.class,
            description = "Time to send for. Default: ${DEFAULT-VALUE}.")
    private Duration duration;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Mixin
    private HelpOption help;

    @Override
    public Integer call() throws Exception {
        if (jvms < 1 || threads < 1) {
            throw new ParameterException(spec.commandLine(), "a number is too small");
        }
        try {
            Optional<ServerAddress> to = server.address();
            if (to.isPresent()) {
                print(measure(to.get()));
            } else {
                try (Console here = Console.scratch()) {
                    print(measure(ServerAddress.parse("http::addr=127.0.0.1:" + here.port() + ";")));
                }
            }
        } catch (StoreFailure failure) {
            throw new Refusal(failure.tried(), failure.answer(), failure.remedy());
        }
        return ExitCode.OK;
    }

    private Ingestion.Result measure(ServerAddress address) throws InterruptedException {
        String writes = "threadclock: writing to " + address + " for " + TimeSpan.text(duration);
        Printer.err(spec).println(writes + ", then waiting until it can be queried");
        return new Ingestion(address.withPrefix(PREFIX), jvms, threads).run(duration);
    }

    private void print(Ingestion.Result result) throws Exception {
        if (json) {
            Printer.out(spec).json(new ObjectMapper().writeValueAsString(result));
            return;
        }
        Printer.out(spec)
                .println(String.format(
                        Locale.ROOT,
                        "%d JVMs with %d threads: %,d rows in %.1f s, %,.0f rows a second; %.0f bytes a row sent",
                        result.jvms(),
                        result.threads(),
                        result.rows(),
                        result.seconds(),
                        result.rowsPerSecond(),
                        result.lineBytes()));
    }

    private static final class Length extends TimeSpan {
        Length() {
            super(Duration.ofMillis(100), Duration.ofHours(1));
        }
    }
}
