// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.lab.LabCommand;
import io.threadclock.lab.NativeMake;
import io.threadclock.lab.report.AccuracyReport;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.ResultsFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./threadclock accuracy}. */
@Command(
        name = "threadclock accuracy",
        sortOptions = false,
        description = "Runs workloads whose user and system time is known, and compares what each way of reading them "
                + "says. Writes a report. Status 1: an error is greater than docs/accuracy.md promises.%n")
public final class Accuracy extends LabCommand {
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

    public static void main(String[] arguments) {
        run(new Accuracy(), arguments);
    }

    @Override
    public Integer call() {
        Path home = home();
        Path folder = reportFolder(output);
        warnOfLoad();
        Results results = new Laboratory(home).measure(quick, typed());
        ResultsFile file = new ResultsFile(folder.resolve("accuracy.json"));
        file.write(results);
        AccuracyReport report = new AccuracyReport(results);
        Path page = report.writePage(folder);
        System.out.print(report.toText());
        System.out.println(
                "Took " + results.origin().seconds() + " s. The report: " + page + "; the figures: " + file.path());
        if (write) {
            keep(results, "accuracy", kept -> new AccuracyReport(kept).documents(home));
        }
        warnOfLoad();
        return verdict(report.complaints());
    }

    /** The report is written, but its results break a promise. */
    private int verdict(List<String> complaints) {
        complaints.forEach(complaint -> say("threadclock accuracy: " + complaint));
        return complaints.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /** Runs {@code make accuracy} of the native library, which shows its own progress. */
    public static final class Laboratory {
        private static final String NOTE = "#";

        private final Path home;

        /** @param home the checkout */
        Laboratory(Path home) {
            this.home = home;
        }

        /**
         * @param command the command as it was typed
         * @throws io.threadclock.harness.SetupException if it cannot be built, or does not print its results
         */
        Results measure(boolean quick, String command) {
            Origin.Start start = new Origin.Start();
            String options = "OPTIONS=" + (quick ? "--quick" : "");
            String printed = new NativeMake(home).output(Redirect.INHERIT, "accuracy", options);
            List<Measurement> measured = NativeMake.measurementsIn(printed, "accuracy");
            return new Results(start.end(command, List.of()), measured, notesIn(printed));
        }

        /** Refusals, and the laboratory's calibration. */
        public static List<String> notesIn(String printed) {
            return printed.lines()
                    .filter(line -> line.startsWith(NOTE))
                    .map(line -> line.substring(NOTE.length()).strip())
                    .toList();
        }
    }
}
