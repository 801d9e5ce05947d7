// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.threadclock.cli.ServerOption;
import io.threadclock.cli.TimeSpan;
import io.threadclock.cli.process.Refusal;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.LabCommand;
import io.threadclock.recorder.Console;
import io.threadclock.recorder.ServerAddress;
import io.threadclock.recorder.StoreFailure;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code ./threadclock ingest}. */
@Command(
        name = "threadclock ingest",
        sortOptions = false,
        header = "Measure how many samples a second a QuestDB takes, to size one for a fleet.",
        description = {
            "Simulated JVMs send samples, in which every thread has done something, as fast as the server accepts them; the"
                    + " time ends when all samples can be queried. Without --to, a QuestDB is started for this and competes"
                    + " with the writers for the CPUs. With --to, the tables threadclock_ingest_… stay on the server.%n"
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:done", "1:the server does not take them; one line says why, and what to do", "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  ./threadclock ingest", "  ./threadclock ingest --to='http::addr=db.example:9000;' --jvms=50"})
public final class Ingest extends LabCommand {
    private static final String PREFIX = "threadclock_ingest_";

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

    public static void main(String[] arguments) {
        run(new Ingest(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        if (jvms < 1 || threads < 1) {
            throw new ParameterException(self(), "a number is too small");
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
            Refusal refusal = new Refusal(failure.tried(), failure.answer(), failure.remedy());
            throw new SetupException(refusal.getMessage(), failure);
        }
        return ExitCode.OK;
    }

    private IngestLoad.Result measure(ServerAddress address) throws InterruptedException {
        String writes = "threadclock: writing to " + address + " for " + TimeSpan.text(duration);
        say(writes + ", then waiting until it can be queried");
        return new IngestLoad(address.withPrefix(PREFIX), jvms, threads).run(duration);
    }

    private void print(IngestLoad.Result result) throws Exception {
        if (json) {
            self().getOut().println(new ObjectMapper().writeValueAsString(result));
            return;
        }
        self().getOut()
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
