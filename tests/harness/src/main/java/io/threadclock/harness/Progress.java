// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Shows progress. On a terminal it is one line that is overwritten; elsewhere (a log, a pipe) each stage is a line of
 * its own, and the finer steps are left out. Thread-safe.
 */
public final class Progress implements AutoCloseable {
    private static final String ERASE_LINE = "\r\033[K";
    /** A line that wraps cannot be overwritten, and the width of the terminal is unknown. */
    private static final int MAX_WIDTH = 78;

    private final PrintStream out;
    private final boolean terminal;
    private String stage = "";

    Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Progress goes to standard error, so that standard output holds only the results. */
    public static Progress onStderr() {
        return new Progress(System.err, isTerminal(Path.of("/proc/self/fd/2"), System.getenv()));
    }

    /** Begins a new stage. */
    public synchronized void stage(String text) {
        stage = text;
        if (terminal) {
            overwrite(text);
        } else {
            out.println(text);
        }
    }

    /** Shows a step within the stage, on a terminal only. */
    public synchronized void step(String detail) {
        if (terminal) {
            overwrite(stage + ": " + detail);
        }
    }

    /** Removes the line, so that something else can be printed. */
    public synchronized void clear() {
        if (terminal) {
            out.print(ERASE_LINE);
            out.flush();
        }
    }

    @Override
    public void close() {
        clear();
    }

    private void overwrite(String text) {
        out.print(ERASE_LINE + (text.length() > MAX_WIDTH ? text.substring(0, MAX_WIDTH - 1) + "…" : text));
        out.flush();
    }

    /** System.console() also asks about standard input and, since JDK 22, answers without any terminal at all. */
    static boolean isTerminal(Path descriptor, Map<String, String> environment) {
        if (environment.getOrDefault("TERM", "dumb").equals("dumb")) {
            return false;
        }
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException unknown) {
            return false;
        }
    }
}
