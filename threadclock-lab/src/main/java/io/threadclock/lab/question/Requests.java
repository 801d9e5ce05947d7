// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.ScratchDirectory;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.ResultsDraft;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where does the wall time of a request go? The example RequestBills, a small server under load, tells it. */
public final class Requests {
    public static final String USER = "user";
    public static final String SYSTEM = "system";
    public static final String RUN_DELAY = "run delay";
    public static final String NOT_RUNNING = "not running";
    /** The parts of the wall time, as the example prints them. */
    public static final List<String> PARTS = List.of(USER, SYSTEM, RUN_DELAY, NOT_RUNNING);

    private static final String EXAMPLE = "io.threadclock.examples.RequestBills";
    private static final String JAR = "threadclock-examples/target/threadclock-examples.jar";
    private static final Pattern LINE = Pattern.compile("(?<path>/\\w+): (?<requests>\\d+) requests, (?<figures>.*)");
    private static final double NS_PER_MS = 1e6;

    private final Jdk jdk;
    private final Path home;
    private final ResultsDraft draft;

    /** @param home the checkout, in which the examples are built */
    public Requests(Jdk jdk, Path home, ResultsDraft draft) {
        this.jdk = jdk;
        this.home = home;
        this.draft = draft;
    }

    /**
     * Adds the mean of each part of each kind of request.
     *
     * @throws SetupException if the example fails, or this kernel does not tell how threads wait
     */
    public void measure() {
        try (ScratchDirectory scratch = ScratchDirectory.create("threadclock-lab-")) {
            ChildResult result = ProgramJvm.on(jdk, scratch.path())
                    .classPath(List.of(home.resolve(JAR)))
                    .mainClass(EXAMPLE)
                    .run();
            if (result.exitStatus() != 0 || result.stdoutLines().isEmpty()) {
                throw new SetupException("Running " + EXAMPLE + " on " + jdk + " failed: " + result.stderr()
                        + ". Run ./threadclock build, and look at its messages.");
            }
            result.stdoutLines().forEach(this::add);
        }
    }

    void add(String printed) {
        Matcher line = LINE.matcher(printed);
        if (!line.matches()) {
            throw new SetupException("Reading a line of " + EXAMPLE + " failed: " + printed);
        }
        for (String part : PARTS) {
            Matcher figure = Pattern.compile("\\b" + part + " (\\d+) ns").matcher(line.group("figures"));
            if (!figure.find()) {
                throw new SetupException("Dividing the time of requests failed: the kernel does not tell their " + part
                        + ". ./threadclock doctor says why.");
            }
            double meanMs = Long.parseLong(figure.group(1)) / NS_PER_MS / Long.parseLong(line.group("requests"));
            draft.add(new Subject(Benchmarks.REQUESTS, jdk.version(), line.group("path"), part, null), "ms", meanMs);
        }
    }
}
