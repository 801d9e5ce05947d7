// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.LabCommand;
import io.threadclock.lab.NativeMake;
import io.threadclock.lab.report.AccuracyReport;
import io.threadclock.lab.report.SegmentTable;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.ResultsDraft;
import io.threadclock.lab.results.ResultsFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./threadclock accuracy}. */
@Command(
        name = "threadclock accuracy",
        sortOptions = false,
        header = "Compare what each way of reading says with the truth.",
        description =
                "Runs workloads whose user and system time is known, and reads them in each way. On every JDK from 21 "
                        + "on, runs virtual threads as well, and compares their accounts with their carriers' clocks segment by "
                        + "segment. Writes a report. Status 1: an error is greater than is promised.%n")
public final class Accuracy extends LabCommand {
    @Option(names = "--quick", description = "Fewer windows: about a minute.")
    private boolean quick;

    @Option(names = "--virtual", description = "Only virtual threads.")
    private boolean onlyVirtual;

    @Mixin
    private JdkOption jdkOption = new JdkOption();

    @Option(
            names = "--output",
            paramLabel = "<folder>",
            description = "Where the report is written: accuracy.html and accuracy.json. Default: report in the "
                    + "checkout.")
    private Path output;

    @Option(
            names = "--write",
            description = "Also write the tables and charts into docs/accuracy.md and docs/virtual-threads.md of the "
                    + "checkout.")
    private boolean write;

    public static void main(String[] arguments) {
        run(new Accuracy(), arguments);
    }

    @Override
    public Integer call() {
        Path home = home();
        Path folder = reportFolder(output);
        warnOfLoad();
        Results results = new Laboratory(home).measure(quick, onlyVirtual, jdkOption, typed());
        ResultsFile file = new ResultsFile(folder.resolve("accuracy.json"));
        file.write(results);
        AccuracyReport report = new AccuracyReport(results);
        Path page = report.writePage(folder);
        System.out.print(report.toText());
        System.out.println(
                "Took " + results.origin().seconds() + " s. The report: " + page + "; the figures: " + file.path());
        if (write) {
            keep(home, results);
        }
        warnOfLoad();
        return verdict(report.complaints());
    }

    private static void keep(Path home, Results results) {
        Results virtual = results.with(results.of(Benchmarks.SEGMENTS));
        List<Measurement> others = new ArrayList<>(results.measurements());
        others.removeAll(virtual.measurements());
        if (!others.isEmpty()) {
            keep(results.with(others), "accuracy", kept -> new AccuracyReport(kept).documents(home));
        }
        if (!virtual.measurements().isEmpty()) {
            keep(virtual, "accuracy-virtual", kept -> new SegmentTable(kept).documents(home));
        }
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
        Results measure(boolean quick, boolean onlyVirtual, JdkOption jdkOption, String command) {
            Origin.Start start = new Origin.Start();
            ResultsDraft draft = new ResultsDraft();
            if (onlyVirtual) {
                measureVirtual(quick, jdkOption, draft);
            } else {
                measureThreads(quick, draft);
                noteRefusal(() -> measureVirtual(quick, jdkOption, draft), draft);
            }
            return draft.finish(start.end(command, List.of()));
        }

        private void measureThreads(boolean quick, ResultsDraft draft) {
            String options = "OPTIONS=" + (quick ? "--quick" : "");
            String printed = new NativeMake(home).output(Redirect.INHERIT, "accuracy", options);
            NativeMake.measurementsIn(printed, "accuracy").forEach(draft::add);
            notesIn(printed).forEach(draft::note);
        }

        private void measureVirtual(boolean quick, JdkOption jdkOption, ResultsDraft draft) {
            List<Jdk> jdks = jdkOption.chooseFrom(SegmentAccuracy.OLDEST_FEATURE);
            SegmentAccuracy segments =
                    new SegmentAccuracy(AgentLibrary.in(home), new NativeMake(home).bareClocks(), draft);
            try (Progress progress = Progress.onStderr()) {
                jdks.forEach(jdk -> segments.measure(jdk, quick, progress));
            }
        }

        /** A machine without virtual threads must not lose the other figures. */
        private static void noteRefusal(Runnable measurement, ResultsDraft draft) {
            try {
                measurement.run();
            } catch (SetupException refused) {
                draft.note("virtual threads were not measured. " + refused.getMessage());
            }
        }

        /** Refusals, and the laboratory's calibration. */
        private static List<String> notesIn(String printed) {
            return printed.lines()
                    .filter(line -> line.startsWith(NOTE))
                    .map(line -> line.substring(NOTE.length()).strip())
                    .toList();
        }
    }
}
