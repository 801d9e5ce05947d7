// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.Exchange;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.Driver;
import io.threadclock.lab.NativeMake;
import io.threadclock.lab.ReportFolder;
import io.threadclock.lab.report.AccuracyPage;
import io.threadclock.lab.report.AccuracyReport;
import io.threadclock.lab.report.Documents;
import io.threadclock.lab.results.AccuracyResults;
import io.threadclock.lab.results.ErrorFigure;
import io.threadclock.lab.results.JsonFile;
import io.threadclock.lab.results.Origin;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./threadclock accuracy}. */
@Command(
        name = "threadclock accuracy",
        sortOptions = false,
        description = "Runs workloads whose user and system time is known, and compares what each way of reading them "
                + "says. Writes a report. Status 1: an error is greater than docs/accuracy.md promises.%n")
public final class Accuracy implements Callable<Integer> {
    @Option(names = "--quick", description = "Fewer windows: about a minute.")
    private boolean quick;

    @Option(
            names = "--output",
            paramLabel = "<folder>",
            description = "Where the report is written: accuracy.html and accuracy.json. Default: report in the "
                    + "checkout.")
    private Path output;

    @Option(names = "--write", description = "Also write the tables and charts into docs/accuracy.md of the checkout.")
    private boolean write;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;

    @Spec
    private CommandSpec command;

    public static void main(String[] arguments) {
        Driver.run(commandLine(), arguments);
    }

    static CommandLine commandLine() {
        return Driver.commandLine(new Accuracy());
    }

    @Override
    public Integer call() {
        Path home = Driver.home();
        Path folder = ReportFolder.ready(output == null ? home.resolve("report") : output);
        Driver.warnOfLoad(command);
        AccuracyResults results = new Laboratory(home).measure(quick, Driver.typed(command));
        JsonFile<AccuracyResults> file = JsonFile.accuracy(folder.resolve("accuracy.json"));
        file.write(results);
        Path page = new AccuracyPage(results).write(folder);
        AccuracyReport report = new AccuracyReport(results);
        System.out.print(report.toText());
        System.out.println(
                "Took " + results.origin().seconds() + " s. The report: " + page + "; the figures: " + file.path());
        if (write) {
            JsonFile<AccuracyResults> kept = JsonFile.accuracy(AccuracyReport.kept(home));
            kept.write(results);
            System.out.println("Wrote " + kept.path());
            Documents documents = new AccuracyReport(kept.read()).documents(home);
            documents.write().forEach(written -> System.out.println("Wrote " + written));
        }
        Driver.warnOfLoad(command);
        return verdict(report.complaints());
    }

    /** The report is there; its figures break a promise. */
    private int verdict(List<String> complaints) {
        complaints.forEach(complaint -> command.commandLine().getErr().println("threadclock accuracy: " + complaint));
        return complaints.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /** Runs {@code make accuracy} of the native library, which says itself how it gets on. */
    static final class Laboratory {
        private static final String NOTE = "#";

        private final Path home;

        /** @param home the checkout */
        Laboratory(Path home) {
            this.home = home;
        }

        /**
         * @param command as it was typed
         * @throws io.threadclock.harness.SetupException if it cannot be built, or does not say what it measured
         */
        AccuracyResults measure(boolean quick, String command) {
            Origin.Start start = new Origin.Start();
            String options = "OPTIONS=" + (quick ? "--quick" : "");
            String printed = new NativeMake(home).output(Redirect.INHERIT, "accuracy", options);
            List<ErrorFigure> figures = figuresIn(printed);
            Origin origin = start.end(command, List.of());
            return new AccuracyResults(AccuracyResults.FORMAT, origin, figures, notesIn(printed));
        }

        /** @throws SetupException if there is none, or one is cut off */
        static List<ErrorFigure> figuresIn(String printed) {
            try {
                List<ErrorFigure> figures = Exchange.answersIn(printed, ErrorFigure.class);
                if (!figures.isEmpty()) {
                    return figures;
                }
            } catch (IllegalArgumentException garbled) {
                throw unusable(garbled.getMessage(), garbled);
            }
            throw unusable(printed.lines().reduce("nothing", (first, second) -> second), null);
        }

        /** Refusals, and how it calibrated itself. */
        static List<String> notesIn(String printed) {
            return printed.lines()
                    .filter(line -> line.startsWith(NOTE))
                    .map(line -> line.substring(NOTE.length()).strip())
                    .toList();
        }

        private static SetupException unusable(String line, Throwable cause) {
            return new SetupException(
                    "Running make -C threadclock-native accuracy: it printed \"" + line
                            + "\" where a figure was to be. Run it by hand to see all of it.",
                    cause);
        }
    }
}
