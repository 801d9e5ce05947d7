// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.accuracy;

import io.threadclock.lab.Driver;
import io.threadclock.lab.ReportFolder;
import io.threadclock.lab.page.AccuracyPage;
import io.threadclock.lab.results.AccuracyFile;
import io.threadclock.lab.results.AccuracyResults;
import io.threadclock.lab.tables.AccuracyDocuments;
import io.threadclock.lab.tables.AccuracyReport;
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
        AccuracyFile file = new AccuracyFile(folder.resolve("accuracy.json"));
        file.write(results);
        Path page = new AccuracyPage(results).write(folder);
        AccuracyReport report = new AccuracyReport(results);
        System.out.print(report.toText());
        System.out.println(
                "Took " + results.origin().seconds() + " s. The report: " + page + "; the figures: " + file.path());
        if (write) {
            new AccuracyDocuments(home).write(results).forEach(written -> System.out.println("Wrote " + written));
        }
        Driver.warnOfLoad(command);
        return verdict(report.complaints());
    }

    /** The report is there; its figures break a promise. */
    private int verdict(List<String> complaints) {
        complaints.forEach(complaint -> command.commandLine().getErr().println("threadclock accuracy: " + complaint));
        return complaints.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}
