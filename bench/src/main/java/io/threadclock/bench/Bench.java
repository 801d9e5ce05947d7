// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import static io.threadclock.bench.Options.OLDEST_FEATURE;

import io.threadclock.bench.Promise.Sense;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.VerboseMode;

/** {@code ./threadclock bench}: what calls cost, by JMH, in C, and in bytes, and whether what is promised holds. */
final class Bench {
    private Bench() {}

    public static void main(String[] arguments) throws Exception {
        Options.run("bench", arguments, Bench::run);
    }

    private static boolean run(Options options) throws Exception {
        String[] arguments = options.rest().toArray(String[]::new);
        if (options.rest().stream().anyMatch(argument -> argument.matches("-l(p|prof|rf)?"))) {
            Main.main(arguments);
            return true;
        }
        try {
            return run(options, new CommandLineOptions(arguments));
        } catch (CommandLineOptionException refused) {
            throw new IllegalArgumentException("JMH answers: " + refused.getMessage() + ".", refused);
        }
    }

    private static boolean run(Options options, CommandLineOptions given) throws Exception {
        boolean isQuick = options.isQuick();
        boolean isAll = given.getIncludes().isEmpty() && given.getExcludes().isEmpty();
        List<Jdk> jdks = isQuick ? options.oldestAndNewest(OLDEST_FEATURE) : options.jdks(OLDEST_FEATURE);
        List<String> benchmarks = benchmarks(given);
        Forks forks = new Forks(given, Options.home().resolve(".build/jmh.log"));
        List<Promise> promises = new ArrayList<>();
        try (Progress progress = Progress.onStderr()) {
            int rounds = given.getForkCount().orElse(isQuick ? 1 : 5);
            for (int round = 0; round < rounds; round++) {
                for (Jdk jdk : jdks) {
                    progress.stage("round " + (round + 1) + " of " + rounds + ", " + jdk);
                    run(forks, round, jdk, benchmarks, progress);
                }
            }
            jdks.stream()
                    .filter(jdk -> isAll)
                    .flatMap(jdk -> DatabaseWork.promises(jdk, isQuick, progress))
                    .forEach(promises::add);
            progress.stage("virtual threads' heap, reads in C");
            jdks.stream()
                    .filter(jdk -> isAll && jdk.feature() >= Options.OLDEST_WITH_VIRTUAL)
                    .flatMap(jdk -> VirtualBytes.promises(jdk, isQuick))
                    .forEach(promises::add);
        }
        write(given, forks.results());
        Comparison.printTable(jdks, forks);
        if (isAll) {
            promises.add(readsInC(isQuick));
        }
        jdks.stream().flatMap(forks::allocation).forEach(promises::add);
        Comparison.ALL.stream()
                .flatMap(each -> jdks.stream().map(jdk -> each.promise(jdk, forks)))
                .filter(promise -> !Double.isNaN(promise.measured() + promise.bound()))
                .forEach(promises::add);
        forks.notes.forEach(System.out::println);
        IntStream.of(Comparison.FROM)
                .filter(from -> isAll && jdks.stream().noneMatch(jdk -> jdk.feature() >= from))
                .forEach(from -> System.out.println("not measured  what is promised on JDK " + from + " and newer"));
        promises.forEach(System.out::println);
        return Promise.areKept(promises);
    }

    /** Takes the regexes from what is given, because JMH would measure all that they match each time. */
    private static List<String> benchmarks(CommandLineOptions given) {
        var silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        List<String> found = BenchmarkList.defaultList().find(silent, given.getIncludes(), given.getExcludes()).stream()
                .map(each -> each.getUsername().replace(Forks.PACKAGE, ""))
                .distinct()
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no benchmark matches " + given.getIncludes() + "; -l lists them.");
        }
        given.getIncludes().clear();
        return found;
    }

    /** Every other round begins with another clock, so that none is always before another. */
    private static void run(Forks forks, int round, Jdk jdk, List<String> benchmarks, Progress progress) {
        for (String benchmark : benchmarks) {
            List<String> clocks = new ArrayList<>(Comparison.clocks(benchmark));
            Collections.rotate(clocks, round);
            progress.step(benchmark);
            if (jdk.feature() >= Options.OLDEST_WITH_VIRTUAL || !benchmark.startsWith("VirtualThread.")) {
                clocks.forEach(clock -> forks.run(jdk, benchmark, clock));
            }
        }
    }

    /** JMH's own table and file. */
    private static void write(CommandLineOptions given, List<RunResult> results) throws IOException {
        System.out.println(Options.machine());
        ResultFormatFactory.getInstance(ResultFormatType.TEXT, System.out).writeOut(results);
        Path file = Path.of(given.getResult().orElse(Options.home() + "/report/bench.json"));
        Files.createDirectories(file.toAbsolutePath().getParent());
        ResultFormatType format = given.getResultFormat().orElse(ResultFormatType.JSON);
        ResultFormatFactory.getInstance(format, file.toString()).writeOut(results);
    }

    /** Its rounds take 4 ms a read. It prints a table of its own, and ends with 1 if what it promises is broken. */
    private static Promise readsInC(boolean isQuick) throws IOException, InterruptedException {
        ProcessBuilder program = new ProcessBuilder(Options.built("read_cost").toString(), isQuick ? "31" : "101");
        return new Promise(
                "reads in C, above: exit status", program.inheritIO().start().waitFor(), Sense.AT_MOST, 0);
    }
}
