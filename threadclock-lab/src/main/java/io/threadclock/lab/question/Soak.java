// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.JdkChoice;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.Machine;
import io.threadclock.harness.Progress;
import io.threadclock.lab.Driver;
import io.threadclock.lab.NativeMake;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./threadclock soak}. */
@Command(
        name = "threadclock soak",
        sortOptions = false,
        description =
                "Lets an embedded QuestDB work while threadclock is attached and detached, threads come and go, a "
                        + "profiler interrupts them, and everybody reads everybody's times, for a long time. Counts what must "
                        + "not be.%n")
public final class Soak implements Callable<Integer> {
    private static final int OLDEST_FEATURE = 17;
    private static final int MOST_MINUTES = 24 * 60;

    @Option(
            names = "--minutes",
            defaultValue = "30",
            paramLabel = "<minutes>",
            description = "How long, all JDKs together. Default: 30.")
    private int minutes;

    @Option(
            names = "--jdks",
            split = ",",
            paramLabel = "<feature>",
            description =
                    "On these JDKs, by feature version, for instance 17,25; all: 17, 21, 25, 26 and the newest that "
                            + "Debian has. Missing ones are fetched. Default: the oldest and the newest found.")
    private Set<Integer> features = new LinkedHashSet<>();

    @Option(names = "--write", description = "Also write the table into docs/accuracy.md of the checkout.")
    private boolean write;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;

    @Spec
    private CommandSpec spec;

    private final List<SoakResult> results = new CopyOnWriteArrayList<>();
    private final AtomicBoolean told = new AtomicBoolean();

    public static void main(String[] arguments) {
        Driver.run(commandLine(), arguments);
    }

    static CommandLine commandLine() {
        return Driver.commandLine(new Soak());
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        if (minutes < 1 || minutes > MOST_MINUTES) {
            throw new ParameterException(
                    spec.commandLine(), "--minutes takes 1 to " + MOST_MINUTES + ", not " + minutes + ".");
        }
        Path home = Driver.home();
        Machine machine = Machine.current();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> tell(report(machine)), "tell-what-there-is"));
        soak(home);
        SoakReport report = report(machine);
        tell(report);
        if (write) {
            report.documents(home).write().forEach(written -> System.out.println("Wrote " + written));
            report.write(SoakReport.kept(home));
            System.out.println("Wrote " + SoakReport.kept(home));
        }
        return report.faults() == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private void soak(Path home) throws InterruptedException, IOException {
        AgentLibrary agent = new AgentLibrary(AgentLibrary.in(home).path().toRealPath());
        Path bareClocks = new NativeMake(home).bareClocks();
        List<Jdk> jdks = chosen(JdkChoice.among(Jdks.installed(), OLDEST_FEATURE, features));
        long eachMs = TimeUnit.MINUTES.toMillis(minutes) / jdks.size();
        try (Progress progress = Progress.onStderr()) {
            for (Jdk jdk : jdks) {
                SoakResult result = new SoakResult(jdk.toString(), ProcessLook.mostDirectoryBytes());
                results.add(result);
                new SoakRun(jdk, agent, bareClocks, home, eachMs, progress, result).run();
            }
        }
    }

    private List<Jdk> chosen(List<Jdk> jdks) {
        return features.isEmpty() && jdks.size() > 2 ? List.of(jdks.get(0), jdks.get(jdks.size() - 1)) : jdks;
    }

    /** Once: at the end, or when somebody ends it. */
    private void tell(SoakReport report) {
        if (!report.columns().isEmpty() && told.compareAndSet(false, true)) {
            System.out.print(report.toText());
        }
    }

    private SoakReport report(Machine machine) {
        return SoakReport.of(Driver.typed(spec), machine, results);
    }
}
