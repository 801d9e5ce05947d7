// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.GeneratedBlock;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.JdkChoice;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.Machine;
import io.threadclock.harness.Progress;
import io.threadclock.harness.SetupException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./threadclock bench}. */
@Command(
        name = "threadclock bench",
        sortOptions = false,
        description = "Measures what it costs to read a thread's user and CPU time: in C from every source, through "
                + "ThreadMXBean on every JDK from 17 on, stock and with the threadclock agent, on one thread and on "
                + "many, of the calling thread and of others; attaching; memory.%n")
public final class Bench implements Callable<Integer> {
    private static final int OLDEST_FEATURE = 17;

    @Option(names = "--quick", description = "Measure for under a minute and a half instead of under eight.")
    private boolean quick;

    @Option(
            names = "--jdks",
            split = ",",
            paramLabel = "<feature>",
            description = "Only these of the JDKs found, by feature version, for instance 17,25.")
    private Set<Integer> features = new LinkedHashSet<>();

    @Option(
            names = "--write",
            description = "Also write the tables into README.md and docs/benchmarks.md of the checkout, and the chart beside "
                    + "the latter.")
    private boolean write;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;

    public static void main(String[] arguments) {
        // The tables hold signs beyond ASCII, and the locale of a container is often C.
        System.setOut(new PrintStream(System.out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(System.err, true, StandardCharsets.UTF_8));
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Bench()).setExecutionExceptionHandler((failure, commandLine, parsed) -> {
            if (!(failure instanceof SetupException)) {
                throw failure;
            }
            commandLine.getErr().println("threadclock bench: " + failure.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        });
    }

    @Override
    public Integer call() {
        Path home = Path.of(System.getenv().getOrDefault("THREADCLOCK_HOME", ".")).toAbsolutePath().normalize();
        AgentLibrary agent = AgentLibrary.in(home);
        List<Jdk> jdks = JdkChoice.among(Jdks.installed(), OLDEST_FEATURE, features);
        long beginNs = System.nanoTime();
        BenchReport report = measure(home, agent, jdks);
        System.out.print(report.toText());
        System.out.println("Took " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNs) + " s.");
        if (write) {
            write(home.resolve("README.md"), "bench:readme", report.toShortMarkdown());
            write(home.resolve("docs/benchmarks.md"), "bench", report.toMarkdown());
            writeChart(home.resolve("docs").resolve(BenchReport.CHART), report.growthChart());
        }
        return CommandLine.ExitCode.OK;
    }

    private BenchReport measure(Path home, AgentLibrary agent, List<Jdk> jdks) {
        BenchPlan plan = quick ? BenchPlan.quick(jdks.size()) : BenchPlan.full(jdks.size());
        Machine machine = Machine.current();
        String load = LoadAverage.now();
        try (Progress progress = Progress.onStderr()) {
            progress.stage("reads in C");
            NativeMeasurement inC = new NativeBench(home).measure(plan.nativeRounds());
            List<LoopMeasurement> loops = new ArrayList<>();
            List<LatencyMeasurement> latencies = new ArrayList<>();
            List<AllThreadsMeasurement> allThreads = new ArrayList<>();
            for (Jdk jdk : jdks) {
                loops.add(new LoopRun(jdk, agent, plan, progress).measure());
                latencies.add(new LatencyRun(jdk, agent, plan, progress).measure());
                allThreads.add(new AllThreadsRun(jdk, agent, plan.allThreads(), progress).measure());
            }
            LoopMeasurement newest = loops.get(loops.size() - 1);
            MemoryMeasurement memory = new MemoryRun(newest.jdk(), agent, progress).measure(newest.source());
            return new BenchReport(machine, load, command(), inC, loops, latencies, allThreads, memory);
        }
    }

    private String command() {
        return "./threadclock bench" + (quick ? " --quick" : "");
    }

    private static void writeChart(Path file, String svg) {
        try {
            Files.writeString(file, svg);
            System.out.println("Wrote the chart into " + file);
        } catch (IOException refused) {
            throw new SetupException("Writing " + file + " failed: " + refused + ". Make it writable.", refused);
        }
    }

    private static void write(Path file, String block, String markdown) {
        boolean written = new GeneratedBlock(block).write(file, markdown);
        System.out.println(written ? "Wrote the tables into " + file : "No block " + block + " in " + file);
    }
}
