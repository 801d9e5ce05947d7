// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.lab.program.EngineProgram.Way;
import io.threadclock.lab.question.EngineCost;
import io.threadclock.lab.question.OtherThreads;
import io.threadclock.lab.question.Plan;
import io.threadclock.lab.question.Preloaded;
import io.threadclock.lab.question.Requests;
import io.threadclock.lab.question.Session;
import io.threadclock.lab.question.ThreadLives;
import io.threadclock.lab.question.TickTrap;
import io.threadclock.lab.report.DemoReport;
import io.threadclock.lab.report.Documents;
import io.threadclock.lab.report.PreloadedReport;
import io.threadclock.lab.report.RequestsReport;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.ResultsDraft;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code ./threadclock demo}. */
@Command(
        name = "threadclock demo",
        sortOptions = false,
        header = "Run a QuestDB program on every JDK, stock and with the agent, and compare.",
        description = {
            "Compares, on every JDK from 17 on, what it costs to read a thread's user and CPU time, what that does to the",
            "program, and how true it is.",
            ""
        })
public final class Demo extends LabCommand {
    /** The tick if it cannot be measured; most distributions have HZ=250. */
    private static final int USUAL_HZ = 250;

    @Option(names = "--quick", description = "Measure for under 40 seconds instead of under 90.")
    private boolean quick;

    @Mixin
    private JdkOption jdkOption = new JdkOption();

    @Option(
            names = "--write",
            description =
                    "Also write the tables into README.md and docs/benchmarks.md of the checkout; with --requests, "
                            + "the picture into docs/; with --preload, the table into docs/preload.md.")
    private boolean write;

    @Option(
            names = "--requests",
            description =
                    "Show instead where the time of requests goes in a small server under load; on the newest JDK.")
    private boolean requests;

    @Option(
            names = "--preload",
            description =
                    "Show instead what CPython, Ruby, Rust, MariaDB and FRRouting gain from libthreadclock-preload.so.")
    private boolean preload;

    /**
     * How much to measure.
     *
     * @param engine the plan for each JDK
     * @param bursts bursts at each phase of the tick
     * @param budgetMs the time for everything, including the start of the programs
     */
    private record Extent(EngineCost.Plan engine, int bursts, long budgetMs) {
        /** Under 90 seconds. */
        private static final Extent FULL =
                new Extent(new EngineCost.Plan(1, 3000, 12_000, 7000, Way.JUDGED), 40, 80_000);
        /** Under 40 seconds: enough to see the orders of magnitude. */
        private static final Extent QUICK =
                new Extent(new EngineCost.Plan(1, 2000, 4000, 2000, Way.JUDGED), 12, 32_000);
        /** The time for other threads and for virtual ones. */
        private static final long OTHERS_MS = 8000;

        /** The time for one of the remaining JDKs when {@code spentMs} have passed. */
        long jdkBudgetMs(int jdks, long spentMs, long tickNs) {
            return (budgetMs - spentMs - OTHERS_MS - TickTrap.durationMs(tickNs, bursts)) / jdks;
        }
    }

    public static void main(String[] arguments) {
        run(new Demo(), arguments);
    }

    @Override
    public Integer call() {
        Path home = home();
        if (requests) {
            return runRequests(home);
        }
        if (preload) {
            return runPreload(home);
        }
        AgentLibrary agent = AgentLibrary.in(home);
        List<Jdk> jdks = jdkOption.choose(EngineCost.OLDEST_FEATURE);
        warnOfLoad();
        DemoReport report = new DemoReport(measure(agent, jdks));
        warnOfLoad();
        return show(report.toText(), () -> report.documents(home));
    }

    private int runRequests(Path home) {
        if (quick || preload) {
            throw new ParameterException(self(), "--requests goes with --write and --jdks alone.");
        }
        List<Jdk> jdks = jdkOption.choose(EngineCost.OLDEST_FEATURE);
        Jdk jdk = jdks.get(jdks.size() - 1);
        warnOfLoad();
        Origin.Start start = new Origin.Start();
        ResultsDraft draft = new ResultsDraft();
        new Requests(jdk, home, draft).measure();
        List<Origin.Runtime> runtimes = List.of(new Origin.Runtime(jdk.version(), jdk.vendor(), "", ""));
        RequestsReport report = new RequestsReport(draft.finish(start.end(typed(), runtimes)));
        return show(report.toText(), () -> report.documents(home));
    }

    private int runPreload(Path home) {
        if (quick || requests || jdkOption.named() > 0) {
            throw new ParameterException(self(), "--preload goes with --write alone.");
        }
        warnOfLoad();
        Origin.Start start = new Origin.Start();
        ResultsDraft draft = new ResultsDraft();
        try (Progress progress = Progress.onStderr()) {
            new Preloaded(AgentLibrary.in(home), progress, draft).measure();
        }
        PreloadedReport report = new PreloadedReport(draft.finish(start.end(typed(), List.of())));
        return show(report.toText(), () -> report.documents(home));
    }

    private int show(String text, Supplier<Documents> documents) {
        System.out.print(text);
        if (write) {
            write(documents.get());
        }
        return CommandLine.ExitCode.OK;
    }

    private Results measure(AgentLibrary agent, List<Jdk> jdks) {
        Origin.Start start = new Origin.Start();
        long tickNs = tickNs(start.ticksPerSecond());
        Extent extent = quick ? Extent.QUICK : Extent.FULL;
        Jdk newest = jdks.get(jdks.size() - 1);
        ResultsDraft draft = new ResultsDraft();
        try (Progress progress = Progress.onStderr()) {
            for (int i = 0; i < jdks.size(); i++) {
                long budgetMs = extent.jdkBudgetMs(jdks.size() - i, start.elapsedMs(), tickNs);
                new EngineCost(jdks.get(i), agent, extent.engine(), progress, draft).measure(budgetMs);
            }
            new TickTrap(newest, agent, progress, draft).measure(tickNs, extent.bursts());
            Session session = new Session(newest, agent, Plan.of(Plan.Length.QUICK, 1), progress, draft);
            new OtherThreads(session).measureById();
            new ThreadLives(session, home()).measureMounted();
        }
        List<Origin.Runtime> runtimes = jdks.stream()
                .map(jdk -> new Origin.Runtime(jdk.version(), jdk.vendor(), "", ""))
                .toList();
        return draft.finish(start.end(typed(), runtimes));
    }

    static long tickNs(Long ticksPerSecond) {
        return TimeUnit.SECONDS.toNanos(1) / (ticksPerSecond == null ? USUAL_HZ : ticksPerSecond);
    }
}
