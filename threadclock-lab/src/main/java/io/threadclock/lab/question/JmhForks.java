// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.question.JmhPlan.Length;
import io.threadclock.lab.question.JmhTasks.JmhTask;
import io.threadclock.lab.question.JmhTasks.JmhTask.Measure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/**
 * Starts JVMs by JMH, each for one task and one round.
 *
 * @param log receives the output of JMH and the JVMs
 */
record JmhForks(Jdk jdk, AgentLibrary agent, Path bareClocks, Path log) {
    /** JMH and the agent write at the same time, and JMH may have begun the line. */
    private static final Pattern AGENT_LINE = Pattern.compile("(?m)(?<![\\w./-])threadclock: .*$");

    private static final String PACKAGE = "io.threadclock.lab.jmh.";
    private static final String BARE_CLOCKS_PROPERTY = "threadclock.benchmarks.library";

    /** JDK 24 and newer warn about JMH; older ones do not know this property. */
    private static final String NO_WARNING_OF_JMH = "-Dsun.misc.unsafe.memory.access=allow";

    /** An iteration takes at most a second; a busy machine may take many times that. */
    private static final TimeValue TIMEOUT = TimeValue.seconds(60);

    /** @throws SetupException if JMH or the JVM fails */
    Outcome run(JmhTask task, Length length) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        OutputFormat format = OutputFormatFactory.createFormatInstance(
                new PrintStream(printed, true, StandardCharsets.UTF_8), VerboseMode.NORMAL);
        try {
            // Does not use runSingle(), which takes a benchmark with several modes for several benchmarks.
            RunResult result =
                    new Runner(options(task, length), format).run().iterator().next();
            return new Outcome(task, result, agentLines(printed.toString(StandardCharsets.UTF_8)));
        } catch (RunnerException failed) {
            throw failure(task, printed.toString(StandardCharsets.UTF_8), failed);
        } finally {
            addToLog(printed.toByteArray());
        }
    }

    private Options options(JmhTask task, Length length) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + (PACKAGE + task.benchmark()).replace(".", "\\.") + "$")
                .mode(task.measure().mode())
                .timeUnit(TimeUnit.NANOSECONDS)
                .threads(task.threads())
                .forks(1)
                .warmupIterations(length.warmups())
                .warmupTime(TimeValue.milliseconds(length.warmupMs()))
                .measurementIterations(length.iterations())
                .measurementTime(TimeValue.milliseconds(length.iterationMs()))
                .timeout(TIMEOUT)
                .shouldFailOnError(true)
                .jvm(jdk.java().toString())
                .jvmArgs(jvmOptions(task.contender()).toArray(String[]::new));
        if (task.measure() == Measure.ALLOCATION) {
            options.addProfiler(GCProfiler.class);
        }
        if (task.isNested()) {
            options.param("depth", Integer.toString(task.depth()));
        }
        return options.build();
    }

    private List<String> jvmOptions(Contender contender) {
        // The collector with the fewest threads, and none of them busy: no benchmark makes garbage. What is to be
        // compiled is waited for: on a machine that is busy the compiler is late otherwise, by more than the warm-up.
        List<String> options = new ArrayList<>(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xbatch"));
        options.add("-D" + BARE_CLOCKS_PROPERTY + "=" + bareClocks);
        options.add(NO_WARNING_OF_JMH);
        if (jdk.feature() >= JmhTasks.OLDEST_WITH_FFM) {
            options.add("--enable-native-access=ALL-UNNAMED");
        }
        options.addAll(contender.jvmOptions(agent));
        return options;
    }

    private SetupException failure(JmhTask task, String printed, RunnerException failed) {
        String reason = printed.lines()
                .filter(line -> line.contains("Exception") || line.contains("Error"))
                .findFirst()
                .orElse(String.valueOf(failed.getMessage()));
        return new SetupException(
                "Running JMH's " + task.benchmark() + " on " + jdk + ": it answered \"" + reason.strip()
                        + "\". Read what it printed before in " + log + ".",
                failed);
    }

    private void addToLog(byte[] printed) {
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            Files.write(log, printed, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException refused) {
            throw new SetupException("Writing " + log + " failed: " + refused + ". Make it writable.", refused);
        }
    }

    static List<String> agentLines(String printed) {
        return AGENT_LINE
                .matcher(printed)
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();
    }

    /** The result of one fork. */
    record Outcome(JmhTask task, RunResult result, List<String> agentLines) {
        private static final String BYTES_PER_OPERATION = "gc.alloc.rate.norm";

        /** The values of its iterations: ns, or B, per operation. */
        List<Double> figures() {
            return iterations().stream().map(this::figure).toList();
        }

        List<IterationResult> iterations() {
            return result.getBenchmarkResults().stream()
                    .flatMap(fork -> fork.getIterationResults().stream())
                    .toList();
        }

        /** All samples, in ns. */
        Statistics samples() {
            return result.getPrimaryResult().getStatistics();
        }

        private double figure(IterationResult iteration) {
            return task.measure() == Measure.ALLOCATION
                    ? bytesPerOperation(iteration)
                    : task.ns(scoresOfThreads(iteration));
        }

        private static double[] scoresOfThreads(IterationResult iteration) {
            return iteration.getRawPrimaryResults().stream()
                    .mapToDouble(ofThread -> ofThread.getScore())
                    .toArray();
        }

        private static double bytesPerOperation(IterationResult iteration) {
            Result<?> bytes = iteration.getSecondaryResults().get(BYTES_PER_OPERATION);
            if (bytes == null) {
                throw new IllegalStateException("JMH's gc profiler has not said " + BYTES_PER_OPERATION);
            }
            return bytes.getScore();
        }
    }
}
