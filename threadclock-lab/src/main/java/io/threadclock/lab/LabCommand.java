// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.harness.EndingException;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.LoadAverage;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.report.Documents;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.ResultsFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The common part of the laboratory's commands. */
public abstract class LabCommand implements Callable<Integer> {
    /** The order of these options: after those of the command itself. */
    private static final int LAST = 1;

    @Option(
            names = {"-h", "--help"},
            order = LAST,
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;

    @Spec
    private CommandSpec spec;

    /** The JDKs to run on. */
    public static final class JdkOption {
        @Option(
                names = "--jdks",
                split = ",",
                paramLabel = "<feature>",
                description =
                        "Only these JDKs, by feature version, for instance 17,25; all: 17, 21, 25, 26 and the newest "
                                + "that Debian has. Missing ones are fetched.")
        private Set<Integer> features = new LinkedHashSet<>();

        /** The number of JDKs that the user has named. */
        public int named() {
            return features.size();
        }

        /** @throws SetupException if there is none, or one that is named is missing */
        public List<Jdk> choose(int oldestFeature) {
            return Jdks.choose(oldestFeature, features);
        }

        /**
         * Those from {@code oldestFeature} on.
         *
         * @throws SetupException if there is none, or one of them that is named is missing
         */
        public List<Jdk> chooseFrom(int oldestFeature) {
            Set<Integer> newer =
                    features.stream().filter(each -> each >= oldestFeature).collect(Collectors.toSet());
            return Jdks.choose(oldestFeature, newer.isEmpty() ? features : newer);
        }
    }

    /** Runs the command, and ends this JVM with its status. */
    protected static void run(LabCommand command, String[] arguments) {
        // The tables contain characters beyond ASCII, and the locale of a container is often C.
        System.setOut(new PrintStream(System.out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(System.err, true, StandardCharsets.UTF_8));
        System.exit(command.commandLine().execute(arguments));
    }

    /** The command line, which reports a failed precondition in one line. */
    public final CommandLine commandLine() {
        return new CommandLine(this).setExecutionExceptionHandler(LabCommand::tell);
    }

    /** Reports a failed precondition in one line, and the end after Ctrl-C not at all. */
    private static int tell(Exception failure, CommandLine command, ParseResult parsed) throws Exception {
        if (failure instanceof EndingException) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        if (!(failure instanceof SetupException)) {
            throw failure;
        }
        command.getErr().println(command.getCommandName() + ": " + failure.getMessage());
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** The checkout. */
    protected static Path home() {
        return Path.of(System.getenv().getOrDefault("THREADCLOCK_HOME", "."))
                .toAbsolutePath()
                .normalize();
    }

    protected final CommandLine self() {
        return spec.commandLine();
    }

    /** Prints one line on standard error. */
    protected final void say(String line) {
        self().getErr().println(line);
    }

    /**
     * Warns before the measurement and again below the results, because nobody reads what was printed a quarter of an
     * hour ago.
     */
    protected final void warnOfLoad() {
        LoadAverage.before()
                .warning(Runtime.getRuntime().availableProcessors())
                .ifPresent(warning -> say(spec.name() + ": " + warning));
    }

    /** The command as it was typed. The launcher passes it on, because it resolves some options itself. */
    protected final String typed() {
        String own = "./" + spec.name() + " "
                + String.join(" ", self().getParseResult().originalArgs());
        return System.getenv().getOrDefault("THREADCLOCK_COMMAND", own.strip());
    }

    /**
     * Returns the folder of a report, and creates it if necessary. This happens before minutes are spent on results
     * that could not be written.
     *
     * @param named by the user; null: report in the checkout
     * @throws SetupException if nothing can be written there
     */
    protected static Path reportFolder(Path named) {
        Path folder = named == null ? home().resolve("report") : named;
        try {
            Files.createDirectories(folder);
        } catch (IOException refused) {
            throw new SetupException(
                    "Creating " + folder + " for the report failed: " + refused + ". Name another folder by --output.",
                    refused);
        }
        if (!Files.isWritable(folder)) {
            throw new SetupException("Writing the report to " + folder + ": that folder may not be written. Name "
                    + "another one by --output.");
        }
        return folder;
    }

    /** Keeps a run in the checkout, and writes the documents that are made from it. @param of see {@link Results#kept} */
    protected static void keep(Results results, String of, Function<Results, Documents> documents) {
        ResultsFile kept = Results.kept(home(), of);
        kept.write(results);
        System.out.println("Wrote " + kept.path());
        write(documents.apply(kept.read()));
    }

    protected static void write(Documents documents) {
        documents.write().forEach(written -> System.out.println("Wrote " + written));
    }
}
