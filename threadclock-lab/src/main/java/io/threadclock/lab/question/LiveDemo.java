// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.Exchange;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.harness.ScratchDirectory;
import io.threadclock.lab.program.LiveProgram;
import io.threadclock.lab.report.Figure;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A stock QuestDB program that runs until the user ends it, to be attached to and detached from. */
public final class LiveDemo {
    /** All rows that the queries read. */
    private static final int HISTORY_ROWS = 30_000;
    /** The titles are repeated before they have left a small terminal. */
    private static final int LINES_PER_TITLES = 20;

    private static final Duration START = Duration.ofMinutes(2);
    /**
     * A JVM that others have attached to has a socket in /tmp, which it only removes if it ends by itself. This takes it a
     * moment, and on a busy machine many seconds.
     */
    private static final Duration GRACE = Duration.ofMinutes(1);

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final Jdk jdk;
    private final Path home;
    private final PrintStream out;
    private volatile boolean ready;

    /** @param home the checkout */
    public LiveDemo(Jdk jdk, Path home, PrintStream out) {
        this.jdk = jdk;
        this.home = home;
        this.out = out;
    }

    /** Returns when nobody reads its lines any more; Ctrl-C ends this JVM, and what it has started with it. */
    public void run() throws InterruptedException {
        try (ScratchDirectory scratch = ScratchDirectory.create("threadclock-lab-");
                Exchange program = start(scratch.path())) {
            awaitReady(program);
            out.print(introduction(jdk, program.pid(), launcher(home, Path.of(""))));
            Lines lines = new Lines();
            long nextNs = System.nanoTime();
            for (long line = 0; !out.checkError(); line++) {
                nextNs = Math.max(nextNs + SECOND_NS, System.nanoTime());
                TimeUnit.NANOSECONDS.sleep(nextNs - System.nanoTime());
                if (line % LINES_PER_TITLES == 0) {
                    out.print("\n" + Lines.TITLES);
                }
                out.println(lines.line(LocalTime.now(), program.ask("", LiveProgram.Second.class)));
            }
        }
    }

    private Exchange start(Path scratch) {
        return new Exchange(
                "the live program on " + jdk,
                ProgramJvm.on(jdk, scratch)
                        .mainClass(LiveProgram.class)
                        .arguments(scratch.resolve("questdb").toString(), Integer.toString(HISTORY_ROWS))
                        .onStderr(this::tell)
                        .grace(GRACE));
    }

    private void awaitReady(Exchange program) {
        try (Progress progress = Progress.onStderr()) {
            progress.stage(jdk + ": starting QuestDB, ingesting " + HISTORY_ROWS + " rows");
            program.ask("", LiveProgram.Second.class, START);
        }
        ready = true;
    }

    /** The user sees what the JVM prints when somebody attaches, but not what QuestDB prints when it starts. */
    private void tell(String stderrLine) {
        if (ready) {
            System.err.println(stderrLine);
        }
    }

    static String introduction(Jdk jdk, long pid, String launcher) {
        return """
                QuestDB on %s, process %d, without threadclock.
                Two threads ingest and query; around each query they read their own user and
                CPU time by ThreadMXBean, and after it the other's user time, by its id.
                In a second terminal, this makes those calls fast while the process runs:

                    %s attach %d

                and this makes them slow again:

                    %s detach %d

                Ctrl-C ends it. A line is a second: ns of one call, less the timer around it; a
                mean includes what else ran in the midst of a call; >CPU counts the readings of
                user time above CPU time.
                """
                .formatted(jdk, pid, launcher, pid, launcher, pid);
    }

    /** The launcher's path as the user has to type it in this directory. */
    static String launcher(Path home, Path directory) {
        Path checkout = home.toAbsolutePath().normalize();
        boolean isHere = checkout.equals(directory.toAbsolutePath().normalize());
        return isHere ? "./threadclock" : checkout.resolve("threadclock").toString();
    }

    /** A line for each second, and the titles above the lines. */
    static final class Lines {
        static final String TITLES =
                """
                                  user time, ns   CPU time, ns  another's, ns  user
                    time units/s  median   mean  median   mean  median   mean  >CPU
                """;

        private static final double NS_PER_S = 1e9;
        private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
        /** A smaller change shows how busy the machine is; attaching and detaching change more. */
        private static final double REMARKABLE = 5;

        /** 0 before the first line. */
        private long lastUserNs;

        /** The line of a second, without a newline. It remarks on a median of user time that is of another order. */
        String line(LocalTime at, LiveProgram.Second second) {
            String line = String.format(
                    Locale.ROOT,
                    "%s %,7.0f  %,6d %,6d  %,6d %,6d  %,6d %,6d  %,4d",
                    CLOCK.format(at),
                    second.units() * NS_PER_S / second.wallNs(),
                    second.user().medianNs(),
                    second.user().meanNs(),
                    second.cpu().medianNs(),
                    second.cpu().meanNs(),
                    second.other().medianNs(),
                    second.other().meanNs(),
                    second.aboveCpu());
            return line + remark(second.user().medianNs());
        }

        private String remark(long userNs) {
            // A clock as fast as the timer around it can read 0, less the timer.
            long shownNs = Math.max(1, userNs);
            double less = lastUserNs == 0 ? 1 : (double) lastUserNs / shownNs;
            lastUserNs = shownNs;
            if (less > REMARKABLE) {
                return " <- " + Figure.ratio(less) + " less";
            }
            return 1 / less > REMARKABLE ? " <- " + Figure.ratio(1 / less) + " more" : "";
        }
    }
}
