// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Says what is going on while one waits. On a terminal it is one line that is written over; elsewhere (a log, a pipe)
 * each stage is a line of its own and the finer steps are left out. Safe for use by several threads.
 */
public final class Progress implements AutoCloseable {
    private static final String ERASE_LINE = "\r\033[K";
    /** A line that wraps cannot be written over, and the width of the terminal is not known. */
    private static final int MAX_WIDTH = 78;

    private final PrintStream out;
    private final boolean terminal;
    private String stage = "";

    Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Progress goes to standard error, so that standard output holds the results alone. */
    public static Progress onStderr() {
        return new Progress(System.err, isTerminal(Path.of("/proc/self/fd/2"), System.getenv()));
    }

    /** A new stage begins. */
    public synchronized void stage(String text) {
        stage = text;
        if (terminal) {
            overwrite(text);
        } else {
            out.println(text);
        }
    }

    /** A step within the stage; shown on a terminal only. */
    public synchronized void step(String detail) {
        if (terminal) {
            overwrite(stage + ": " + detail);
        }
    }

    /** Takes the line away, so that something else can be printed. */
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
