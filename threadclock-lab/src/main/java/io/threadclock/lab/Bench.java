// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.JdkChoice;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.Progress;
import io.threadclock.lab.question.AllocationCheck;
import io.threadclock.lab.question.Plan;
import io.threadclock.lab.report.BenchPage;
import io.threadclock.lab.report.BenchReport;
import io.threadclock.lab.report.Comparison;
import io.threadclock.lab.report.Documents;
import io.threadclock.lab.report.Goals;
import io.threadclock.lab.results.JsonFile;
import io.threadclock.lab.results.Results;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./threadclock bench}. */
@Command(
        name = "threadclock bench",
        sortOptions = false,
        description = "Measures what it costs to read a thread's user and CPU time: in C from every source, through "
                + "ThreadMXBean and the Java library on every JDK from 17 on, of the calling thread and of others; and "
                + "what that does to a program. Writes a report.%n")
public final class Bench implements Callable<Integer> {
    private static final int OLDEST_FEATURE = 17;

    @ArgGroup(exclusive = true)
    private Length length = new Length();

    @Option(
            names = "--jdks",
            split = ",",
            paramLabel = "<feature>",
            description =
                    "Only these JDKs, by feature version, for instance 17,25; all: 17, 21, 25, 26 and the newest that "
                            + "Debian has. Missing ones are fetched.")
    private Set<Integer> features = new LinkedHashSet<>();

    @Option(
            names = "--compare",
            paramLabel = "<results.json>",
            description = "Also say what has changed since that run.")
    private Path older;

    @Option(
            names = "--output",
            paramLabel = "<folder>",
            description = "Where the report is written: index.html and results.json. Default: report in the checkout.")
    private Path output;

    @Option(
            names = "--check",
            description = "Also list the goals of this project that the run misses. Status 1: it misses one that this "
                    + "machine does not put out of reach.")
    private boolean check;

    @Option(
            names = "--write",
            description = "Also write the tables into README.md and docs/benchmarks.md of the checkout, and the chart "
                    + "beside the latter, and keep the run in threadclock-lab/results/bench.json.")
    private boolean write;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;

    @Spec
    private CommandSpec command;

    private static final class Length {
        @Option(names = "--quick", description = "Measure for two and a half minutes instead of a quarter of an hour.")
        private boolean quick;

        @Option(names = "--full", description = "Measure longer: more JVMs and rounds.")
        private boolean full;

        Plan.Length chosen() {
            return quick ? Plan.Length.QUICK : full ? Plan.Length.FULL : Plan.Length.USUAL;
        }
    }

    public static void main(String[] arguments) {
        Driver.run(commandLine(), arguments);
    }

    static CommandLine commandLine() {
        return Driver.commandLine(new Bench());
    }

    @Override
    public Integer call() {
        Path home = Driver.home();
        Path folder = ReportFolder.ready(output == null ? home.resolve("report") : output);
        Optional<Results> before =
                Optional.ofNullable(older).map(path -> JsonFile.results(path).read());
        AgentLibrary agent = AgentLibrary.in(home);
        List<Jdk> jdks = JdkChoice.among(Jdks.installed(), OLDEST_FEATURE, features);
        Driver.warnOfLoad(command);
        Results results = measure(home, agent, jdks, folder);
        JsonFile<Results> file = JsonFile.results(folder.resolve("results.json"));
        file.write(results);
        Path page = new BenchPage(results, before).write(folder);
        before.ifPresent(run -> System.out.print(new Comparison(run, results).toText()));
        System.out.print(new BenchReport(results).toText());
        System.out.println(
                "Took " + results.origin().seconds() + " s. The report: " + page + "; the figures: " + file.path());
        if (write) {
            JsonFile<Results> kept = JsonFile.results(BenchReport.kept(home));
            kept.write(results);
            System.out.println("Wrote " + kept.path());
            Documents documents = new BenchReport(kept.read()).documents(home);
            documents.write().forEach(written -> System.out.println("Wrote " + written));
        }
        Driver.warnOfLoad(command);
        return verdict(results);
    }

    /** The report is there; its figures may break a law or, where that was asked for, miss a goal. */
    int verdict(Results results) {
        Optional<String> complaint = AllocationCheck.complaint(results.series());
        complaint.ifPresent(each -> command.commandLine().getErr().println("threadclock bench: " + each));
        boolean isMissed = false;
        if (check) {
            Goals goals = new Goals(results);
            command.commandLine().getOut().print(goals.toText());
            command.commandLine().getOut().flush();
            isMissed = goals.areMissed();
        }
        return complaint.isPresent() || isMissed ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    private Results measure(Path home, AgentLibrary agent, List<Jdk> jdks, Path folder) {
        Plan plan = Plan.of(length.chosen(), jdks.size());
        command.commandLine().getErr().println("measuring on " + jdks + ": " + length.chosen());
        try (Progress progress = Progress.onStderr()) {
            return new BenchRun(home, agent, jdks, plan, progress).measure(Driver.typed(command), folder);
        }
    }
}
