// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.GeneratedBlock;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.LoadAverage;
import io.threadclock.harness.Machine;
import io.threadclock.harness.Progress;
import io.threadclock.harness.SetupException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./threadclock demo}. */
@Command(
        name = "threadclock demo",
        sortOptions = false,
        mixinStandardHelpOptions = false,
        description = {
            "Runs a QuestDB program on every JDK from 17 on, stock and with the threadclock agent, and compares:",
            "what it costs to read a thread's user and CPU time, what that does to the program, and how true it is.",
            ""
        })
public final class Demo implements Callable<Integer> {
    /** QuestDB needs it. */
    private static final int OLDEST_FEATURE = 17;
    /** The tick where it cannot be measured: HZ=250 is what most distributions build. */
    private static final int USUAL_HZ = 250;

    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "Measure for under 40 seconds instead of under 3 minutes.")
    private boolean quick;

    @Option(
            names = "--jdks",
            split = ",",
            paramLabel = "<feature>",
            description = "Only these JDKs, by feature version, for instance 17,25; all: 17, 21, 25, 26 and the newest that "
                    + "Debian has. Missing ones are fetched.")
    private Set<Integer> features = new LinkedHashSet<>();

    @Option(
            names = "--write",
            description = "Also write the tables into README.md and docs/benchmarks.md of the checkout.")
    private boolean writeDocs;

    @Option(
            names = "--live",
            description = "Run one program, stock, until Ctrl-C, to attach to and to detach from; on the oldest JDK.")
    private boolean live;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;

    public static void main(String[] arguments) {
        // The tables hold signs beyond ASCII, and the locale of a container is often C.
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(out);
        System.setErr(new PrintStream(System.err, true, StandardCharsets.UTF_8));
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Demo()).setExecutionExceptionHandler((failure, commandLine, parsed) -> {
            if (!(failure instanceof SetupException)) {
                throw failure;
            }
            commandLine.getErr().println("threadclock demo: " + failure.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        });
    }

    @Override
    public Integer call() throws InterruptedException {
        if (live) {
            return runLive();
        }
        AgentLibrary agent = AgentLibrary.in(home());
        List<Jdk> jdks = chosen(Jdks.onePerFeature(OLDEST_FEATURE), features);
        long beginNs = System.nanoTime();
        Machine machine = Machine.current();
        warnOfLoad(machine);
        DemoPlan plan = quick ? DemoPlan.quick(machine.cpus()) : DemoPlan.full(machine.cpus());
        DemoReport report = measure(agent, jdks, machine, plan);
        System.out.print(report.toText());
        System.out.println("\nTook " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNs) + " s.");
        warnOfLoad(machine);
        if (writeDocs) {
            write(report);
        }
        return CommandLine.ExitCode.OK;
    }

    /** Before it measures, and again below the tables. */
    private void warnOfLoad(Machine machine) {
        LoadAverage.before().warning(machine.cpus()).ifPresent(warning -> spec.commandLine().getErr().println("threadclock demo: " + warning));
    }

    private int runLive() throws InterruptedException {
        if (quick || writeDocs || features.size() > 1) {
            throw new ParameterException(
                    spec.commandLine(), "--live runs on one JDK until it is ended; it goes with --jdks=17 alone.");
        }
        Jdk jdk = chosen(Jdks.onePerFeature(OLDEST_FEATURE), features).get(0);
        new LiveRun(jdk, home(), System.out).run();
        return CommandLine.ExitCode.OK;
    }

    private DemoReport measure(AgentLibrary agent, List<Jdk> jdks, Machine machine, DemoPlan plan) {
        long beginNs = System.nanoTime();
        try (Progress progress = Progress.onStderr()) {
            List<JdkMeasurement> measurements = new ArrayList<>();
            for (Jdk jdk : jdks) {
                long spentMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
                long budgetMs = plan.jdkBudgetMs(jdks.size() - measurements.size(), spentMs);
                measurements.add(new AttributionRun(jdk, agent, plan, progress).measure(budgetMs));
            }
            Jdk newest = jdks.get(jdks.size() - 1);
            TickTrapMeasurement trap =
                    new TickTrapRun(newest, agent, plan, tickNs(machine.ticksPerSecond()), progress).measure();
            return new DemoReport(machine, command(), plan, measurements, trap);
        }
    }

    static List<Jdk> chosen(List<Jdk> found, Set<Integer> features) {
        List<Jdk> chosen = found.stream()
                .filter(jdk -> features.isEmpty() || features.contains(jdk.feature()))
                .toList();
        if (chosen.isEmpty() || chosen.size() < features.size()) {
            String wanted = features.isEmpty() ? "a JDK " + OLDEST_FEATURE + " or newer" : "the JDKs " + features;
            throw new SetupException("Looking for " + wanted + ": found " + (found.isEmpty() ? "none" : found)
                    + ". Install one, or name the homes of JDKs in THREADCLOCK_JDKS, separated by colons.");
        }
        return chosen;
    }

    static long tickNs(OptionalLong ticksPerSecond) {
        return TimeUnit.SECONDS.toNanos(1) / ticksPerSecond.orElse(USUAL_HZ);
    }

    private String command() {
        return "./threadclock demo" + (quick ? " --quick" : "");
    }

    private static void write(DemoReport report) {
        write(home().resolve("README.md"), "demo:readme", report.toShortMarkdown());
        write(home().resolve("docs/benchmarks.md"), "demo", report.toMarkdown());
    }

    /** The checkout, as the launcher names it. */
    private static Path home() {
        return Path.of(System.getenv().getOrDefault("THREADCLOCK_HOME", "."));
    }

    private static void write(Path file, String block, String markdown) {
        boolean written = new GeneratedBlock(block).write(file, markdown);
        System.out.println(written ? "Wrote the tables into " + file : "No block " + block + " in " + file);
    }
}
