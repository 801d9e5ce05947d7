// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.threadclock.bench.Promise.Sense;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.SetupException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Starts JVMs by JMH, each for one benchmark, JDK, clock and round. JMH itself would run all rounds of a benchmark in a
 * row, which is not fair if the machine's speed drifts. Here all clocks have theirs before the next round.
 */
final class Forks {
    static final String PACKAGE = Forks.class.getPackageName() + ".";

    /** JMH and the agent write at the same time, and JMH may have begun the line. */
    private static final Pattern AGENT_LINE = Pattern.compile("(?m)(?<![\\w./-])threadclock: .*$");

    private static final String READS = "OneRead.libraryEveryRead";
    /** It allocates by contract. If it seems not to, nothing has been measured. */
    private static final String CONTROL = "OneRead.libraryObject";
    /** JMH itself allocates some 6 KB in each iteration, which is 0.03 B for each of 200,000 reads. */
    private static final double MOST_BYTES = 0.05;

    /** If a read seems to allocate: JMH's own share grows if a busy machine allows few reads. */
    private static final int TRIES = 4;

    private final CommandLineOptions given;
    private final PrintStream log;
    /** The lines that agents have printed. */
    final Set<String> notes = new LinkedHashSet<>();

    /** By JDK, benchmark, clock and mode. */
    private final Map<String, List<BenchmarkResult>> rounds = new TreeMap<>();

    Forks(CommandLineOptions given, Path logFile) throws IOException {
        this.given = given;
        Files.createDirectories(logFile.getParent());
        this.log = new PrintStream(Files.newOutputStream(logFile), true, UTF_8);
    }

    /** Runs a round. @throws SetupException if JMH or the JVM fails */
    void run(Jdk jdk, String benchmark, String clock) {
        int tries = benchmark.equals(READS) ? TRIES : 1;
        do {
            runOnce(jdk, benchmark, clock);
        } while (--tries > 0 && leastBytes(jdk, benchmark, clock) >= MOST_BYTES);
    }

    private void runOnce(Jdk jdk, String benchmark, String clock) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, UTF_8);
        var options = new OptionsBuilder()
                .parent(given)
                .include("^" + Pattern.quote(PACKAGE + benchmark) + "$")
                .param("jdk", jdk.version())
                .param("clock", clock)
                .forks(1)
                .timeUnit(TimeUnit.NANOSECONDS)
                .shouldFailOnError(true)
                .jvm(jdk.java().toString())
                .jvmArgs(Measured.jvmOptions(jdk, benchmark, clock).toArray(String[]::new));
        if (benchmark.equals(READS) || benchmark.equals(CONTROL)) {
            options.addProfiler("gc");
        }
        try {
            var format = OutputFormatFactory.createFormatInstance(out, VerboseMode.NORMAL);
            add(key(jdk, benchmark, clock), new Runner(options.build(), format).run(), printed.toString(UTF_8));
        } catch (RunnerException failed) {
            String tried = "Running JMH's " + benchmark + " on " + jdk + " failed: " + failed.getMessage();
            throw new SetupException(tried + ". Read what it printed, at the end of .build/jmh.log.", failed);
        } finally {
            log.writeBytes(printed.toByteArray());
        }
    }

    static String key(Jdk jdk, String benchmark, String clock) {
        return benchmark + " on JDK " + jdk.version() + ", " + clock;
    }

    /** Leaves out a result where the agent has left the JVM as it was: it is stock's. */
    void add(String key, Collection<RunResult> round, String printed) {
        List<String> said =
                AGENT_LINE.matcher(printed).results().map(line -> line.group()).toList();
        said.forEach(line -> notes.add(key + ": " + line));
        if (AgentLibrary.refusalIn(said).isEmpty()) {
            for (RunResult each : round) {
                String mode = each.getPrimaryResult().getClass().getSimpleName();
                rounds.computeIfAbsent(key + mode, absent -> new ArrayList<>()).addAll(each.getBenchmarkResults());
            }
        }
    }

    /** The rounds of each benchmark as one result. */
    List<RunResult> results() {
        return rounds.values().stream()
                .map(each -> new RunResult(each.get(0).getParams(), each))
                .toList();
    }

    private Stream<BenchmarkResult> rounds(Jdk jdk, String benchmark, String clock) {
        return rounds.getOrDefault(key(jdk, benchmark, clock) + "AverageTimeResult", List.of()).stream();
    }

    /** The ns of a call, by rounds: medians, because the mean of many threads depends on the one that hardly ran. */
    double[] roundsNs(Jdk jdk, String benchmark, String clock) {
        return rounds(jdk, benchmark, clock)
                .mapToDouble(round -> Comparison.median(round.getIterationResults().stream()
                        .flatMap(iteration -> iteration.getRawPrimaryResults().stream())
                        .mapToDouble(ofThread -> ofThread.getScore())
                        .toArray()))
                .toArray();
    }

    /** What reads allocate on all paths. @throws SetupException if one that allocates by contract seems not to */
    Stream<Promise> allocation(Jdk jdk) {
        double control = leastBytes(jdk, CONTROL, "library");
        if (control < 8) { // the least that an object takes
            throw new SetupException("Measuring what a reading as an object allocates on " + jdk + ": " + control
                    + " B. JMH's gc profiler does not work there: leave this JDK out of --jdks.");
        }
        String name = "JDK " + jdk.version() + ": bytes that reads allocate on all paths together, ";
        return Comparison.clocks(READS).stream()
                .map(clock -> new Promise(name + clock, leastBytes(jdk, READS, clock), Sense.AT_MOST, MOST_BYTES))
                .filter(promise -> !Double.isNaN(promise.measured() + control));
    }

    /** The least of all iterations, because other allocations in the JVM add to some; NaN if it was not measured. */
    private double leastBytes(Jdk jdk, String benchmark, String clock) {
        return rounds(jdk, benchmark, clock)
                .flatMap(round -> round.getIterationResults().stream())
                .map(iteration -> iteration.getSecondaryResults().get("gc.alloc.rate.norm"))
                .mapToDouble(bytes -> bytes.getScore())
                .min()
                .orElse(Double.NaN);
    }
}
