// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.lab.LabCommand;
import io.threadclock.lab.NativeMake;
import io.threadclock.lab.results.Origin;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code ./threadclock soak}. */
@Command(
        name = "threadclock soak",
        sortOptions = false,
        header = "Attach, detach, profile and read a busy program's clocks at once, and count faults.",
        description =
                "An embedded QuestDB works meanwhile, threads come and go, and all of them read each other's times. "
                        + "Runs on the oldest and the newest JDK found, unless --jdks names others.%n")
public final class Soak extends LabCommand {
    private static final int OLDEST_FEATURE = 17;
    private static final int MOST_MINUTES = 24 * 60;

    @Option(
            names = "--minutes",
            defaultValue = "30",
            paramLabel = "<minutes>",
            description = "How long, all JDKs together. Default: 30.")
    private int minutes;

    @Mixin
    private JdkOption jdkOption = new JdkOption();

    @Option(names = "--write", description = "Also write the table into docs/accuracy.md of the checkout.")
    private boolean write;

    private final List<SoakResult> results = new CopyOnWriteArrayList<>();
    private final AtomicBoolean told = new AtomicBoolean();

    public static void main(String[] arguments) {
        run(new Soak(), arguments);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (minutes < 1 || minutes > MOST_MINUTES) {
            throw new ParameterException(self(), "--minutes takes 1 to " + MOST_MINUTES + ", not " + minutes + ".");
        }
        Path home = home();
        Origin.Start start = new Origin.Start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> tell(report(start)), "tell-what-there-is"));
        soak(home);
        SoakReport report = report(start);
        tell(report);
        if (write) {
            keep(report.results(), "soak", kept -> new SoakReport(kept).documents(home));
        }
        return report.faults() == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private void soak(Path home) throws InterruptedException {
        AgentLibrary agent = AgentLibrary.in(home).real();
        Path bareClocks = new NativeMake(home).bareClocks();
        List<Jdk> jdks = chosen(jdkOption.choose(OLDEST_FEATURE));
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
        return jdkOption.named() == 0 && jdks.size() > 2 ? List.of(jdks.get(0), jdks.get(jdks.size() - 1)) : jdks;
    }

    /** Prints the report once: at the end, or when somebody ends the run. */
    private void tell(SoakReport report) {
        if (!report.isEmpty() && told.compareAndSet(false, true)) {
            System.out.print(report.toText());
        }
    }

    private SoakReport report(Origin.Start start) {
        return SoakReport.of(start.end(typed(), List.of()), results);
    }
}
