// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.concurrent.TimeUnit;

/** A stock QuestDB program that runs until the user ends it, to be attached to and detached from. */
final class LiveRun {
    /** All that the queries look at. */
    private static final int HISTORY_ROWS = 30_000;
    /** The titles come again before they have left a small terminal. */
    private static final int LINES_PER_TITLES = 20;

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final Jdk jdk;
    private final Path home;
    private final PrintStream out;
    private volatile boolean ready;

    /** @param home the checkout */
    LiveRun(Jdk jdk, Path home, PrintStream out) {
        this.jdk = jdk;
        this.home = home;
        this.out = out;
    }

    /** Returns when nobody reads its lines any more; Ctrl-C ends this JVM, and what it has started with it. */
    void run() throws InterruptedException {
        try (QuestDbChild program = QuestDbChild.live(jdk, HISTORY_ROWS, this::tell)) {
            awaitReady(program);
            out.print(introduction(jdk, program.pid(), launcher(home, Path.of(""))));
            LiveTable table = new LiveTable();
            long nextNs = System.nanoTime();
            for (long line = 0; !out.checkError(); line++) {
                nextNs = Math.max(nextNs + SECOND_NS, System.nanoTime());
                TimeUnit.NANOSECONDS.sleep(nextNs - System.nanoTime());
                if (line % LINES_PER_TITLES == 0) {
                    out.print("\n" + LiveTable.TITLES);
                }
                out.println(table.line(LocalTime.now(), program.second()));
            }
        }
    }

    private void awaitReady(QuestDbChild program) {
        try (Progress progress = Progress.onStderr()) {
            progress.stage(jdk + ": starting QuestDB, ingesting " + HISTORY_ROWS + " rows");
            program.awaitReady();
        }
        ready = true;
    }

    /** What the JVM says of being attached to is the user's to see; what QuestDB says as it starts is not. */
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

    /** As the user has to type it where they are. */
    static String launcher(Path home, Path directory) {
        Path checkout = home.toAbsolutePath().normalize();
        boolean isHere = checkout.equals(directory.toAbsolutePath().normalize());
        return isHere ? "./threadclock" : checkout.resolve("threadclock").toString();
    }
}
