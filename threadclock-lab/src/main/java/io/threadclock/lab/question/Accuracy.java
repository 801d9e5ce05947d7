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
    private static final String NOTE = "#";

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
        Results results = measure(home);
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

    /** @throws SetupException if the laboratory cannot be built, or does not print its results */
    private Results measure(Path home) {
        Origin.Start start = new Origin.Start();
        ResultsDraft draft = new ResultsDraft();
        if (onlyVirtual) {
            measureVirtual(home, draft);
        } else {
            measureThreads(home, draft);
            try {
                measureVirtual(home, draft);
            } catch (SetupException refused) {
                // A machine without virtual threads must not lose the other figures.
                draft.note("virtual threads were not measured. " + refused.getMessage());
            }
        }
        return draft.finish(start.end(typed(), List.of()));
    }

    /** {@code make accuracy} shows its own progress; its notes are refusals and its calibration. */
    private void measureThreads(Path home, ResultsDraft draft) {
        String printed =
                new NativeMake(home).output(Redirect.INHERIT, "accuracy", "OPTIONS=" + (quick ? "--quick" : ""));
        NativeMake.measurementsIn(printed, "accuracy").stream()
                .map(WindowStatistics::of)
                .forEach(draft::add);
        printed.lines()
                .filter(line -> line.startsWith(NOTE))
                .forEach(line -> draft.note(line.substring(NOTE.length()).strip()));
    }

    private void measureVirtual(Path home, ResultsDraft draft) {
        List<Jdk> jdks = jdkOption.chooseFrom(SegmentAccuracy.OLDEST_FEATURE);
        SegmentAccuracy segments = new SegmentAccuracy(AgentLibrary.in(home), new NativeMake(home).bareClocks(), draft);
        try (Progress progress = Progress.onStderr()) {
            jdks.forEach(jdk -> segments.measure(jdk, quick, progress));
        }
    }
}
