// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.lab.program.LivesOfThreads;
import io.threadclock.lab.question.AllocationCheck;
import io.threadclock.lab.question.Plan;
import io.threadclock.lab.report.BenchPage;
import io.threadclock.lab.report.BenchReport;
import io.threadclock.lab.report.Comparison;
import io.threadclock.lab.report.Documents;
import io.threadclock.lab.report.Goals;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.ResultsFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./threadclock bench}. */
@Command(
        name = "threadclock bench",
        sortOptions = false,
        header = "Measure what reads cost, in C and in Java, and what that does to a program.",
        description =
                "Reads a thread's user and CPU time in C from every source, and through ThreadMXBean and the Java "
                        + "library on every JDK from 17 on, of the calling thread and of others. Writes a report.%n")
public final class Bench extends LabCommand {
    private static final int OLDEST_FEATURE = 17;

    @ArgGroup(exclusive = true)
    private Length length = new Length();

    @Mixin
    private JdkOption jdkOption = new JdkOption();

    @ArgGroup(exclusive = true)
    private Part part = new Part();

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
            description =
                    "Also hold the run against this project's goals. A promise is what the documents tell users, with "
                            + "room for a busy machine: status 1 if one is broken. An aim is what the machine allows if nothing "
                            + "disturbs it: the aims that are missed are listed.")
    private boolean check;

    @Option(
            names = "--write",
            description = "Also write the tables into README.md and docs/benchmarks.md of the checkout, and the chart "
                    + "beside the latter, and keep the run in threadclock-lab/results/bench.json.")
    private boolean write;

    private static final class Part {
        @Option(
                names = "--virtual",
                description = "Only virtual threads, on every JDK from 21 on; --write then writes their tables into "
                        + "docs/virtual-threads.md.")
        private boolean virtual;

        @Option(
                names = "--spans",
                description = "Only spans of OpenTelemetry's agent, measured and not; --write then writes their table "
                        + "into docs/opentelemetry.md.")
        private boolean spans;
    }

    private static final class Length {
        @Option(names = "--quick", description = "Measure for under four minutes instead of a quarter of an hour.")
        private boolean quick;

        @Option(names = "--full", description = "Measure longer: more JVMs and rounds.")
        private boolean full;

        Plan.Length chosen() {
            return quick ? Plan.Length.QUICK : full ? Plan.Length.FULL : Plan.Length.USUAL;
        }
    }

    public static void main(String[] arguments) {
        run(new Bench(), arguments);
    }

    @Override
    public Integer call() {
        Path home = home();
        Path folder = reportFolder(output);
        Optional<Results> before = Optional.ofNullable(older).map(path -> new ResultsFile(path).read());
        AgentLibrary agent = AgentLibrary.in(home);
        if (part.virtual) {
            return measurePart(
                    jdkOption.chooseFrom(LivesOfThreads.OLDEST_WITH_VIRTUAL),
                    "virtual",
                    BenchRun::measureVirtual,
                    BenchReport::toVirtualText,
                    report -> report.virtualDocuments(home));
        }
        if (part.spans) {
            return measurePart(
                    jdkOption.choose(OLDEST_FEATURE),
                    "spans",
                    BenchRun::measureSpans,
                    BenchReport::toSpansText,
                    report -> report.spansDocuments(home));
        }
        List<Jdk> jdks = jdkOption.choose(OLDEST_FEATURE);
        warnOfLoad();
        Results results = measure(home, agent, jdks, folder);
        ResultsFile file = new ResultsFile(folder.resolve("results.json"));
        file.write(results);
        Path page = new BenchPage(results, before).write(folder);
        before.ifPresent(run -> System.out.print(new Comparison(run, results).toText()));
        System.out.print(new BenchReport(results).toText());
        System.out.println(
                "Took " + results.origin().seconds() + " s. The report: " + page + "; the figures: " + file.path());
        if (write) {
            keep(results, "bench", kept -> new BenchReport(kept).documents(home));
        }
        warnOfLoad();
        return verdict(results);
    }

    /** @param name of the part, in its file's name and that of the kept run */
    private Integer measurePart(
            List<Jdk> jdks,
            String name,
            BiFunction<BenchRun, String, Results> measurement,
            Function<BenchReport, String> text,
            Function<BenchReport, Documents> documents) {
        warnOfLoad();
        Plan plan = Plan.of(length.chosen(), jdks.size());
        Results results;
        try (Progress progress = Progress.onStderr()) {
            results = measurement.apply(new BenchRun(home(), AgentLibrary.in(home()), jdks, plan, progress), typed());
        }
        ResultsFile file = new ResultsFile(reportFolder(output).resolve(name + ".json"));
        file.write(results);
        System.out.print(text.apply(new BenchReport(results)));
        System.out.println("Took " + results.origin().seconds() + " s. The figures: " + file.path());
        if (write) {
            keep(results, "bench-" + name, kept -> documents.apply(new BenchReport(kept)));
        }
        warnOfLoad();
        return verdict(results);
    }

    /** The report is written. Its results may still break a law or, if that was asked for, break a promise. */
    int verdict(Results results) {
        Optional<String> complaint = AllocationCheck.complaint(results.measurements());
        complaint.ifPresent(each -> say("threadclock bench: " + each));
        boolean isBroken = false;
        if (check) {
            Goals goals = new Goals(results);
            self().getOut().print(goals.toText());
            self().getOut().flush();
            isBroken = goals.areBroken();
        }
        return complaint.isPresent() || isBroken ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    private Results measure(Path home, AgentLibrary agent, List<Jdk> jdks, Path folder) {
        Plan plan = Plan.of(length.chosen(), jdks.size());
        say("measuring on " + jdks + ": " + length.chosen());
        try (Progress progress = Progress.onStderr()) {
            return new BenchRun(home, agent, jdks, plan, progress).measure(typed(), folder);
        }
    }
}
