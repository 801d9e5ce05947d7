// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A program that runs with the rights of a target's user, and has none of ours. It belongs to that user, who may trace
 * it, read its environment and take its descriptors, and may have written it. Therefore it has a session of its own
 * without a terminal, an environment that is empty but for its encoding, no descriptors but two files, no capability,
 * and no way to new privileges. Its output goes to a pipe, of which we read the beginning until the program has ended,
 * whoever else has it open. A file would keep what that user writes to it as long as he likes.
 *
 * <p>If the target's user and group are ours, it runs like any program of ours. Otherwise this needs root, and setsid
 * and setpriv of util-linux.
 */
public final class UnprivilegedProgram {
    private static final int MOST_BYTES = 1 << 20;
    private static final int LONGEST_LINE = 300;
    private static final long LOOK_MS = 10;
    /** Arguments may contain characters beyond ASCII. */
    private static final Map<String, String> ENVIRONMENT = Map.of("LC_ALL", "C.UTF-8");

    private final Target target;

    public UnprivilegedProgram(Target target) {
        this.target = target;
    }

    /**
     * The result of a run.
     *
     * @param hasEnded false if it was stopped, because it took too long
     * @param text the beginning of its output
     */
    public record Result(boolean hasEnded, int status, String text) {
        /** The beginning of the first line that says something. That user can write anything. */
        public Optional<String> firstLine() {
            return text.lines()
                    .filter(line -> !line.isBlank())
                    .map(line -> line.substring(0, Math.min(LONGEST_LINE, line.length())))
                    .findFirst();
        }
    }

    /**
     * Runs the program to its end.
     *
     * @param input its standard input, which it need not be able to reach by a path
     * @throws IOException if it could not be started
     */
    public Result run(List<String> command, Path input, long longestMs) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("threadclock-");
        Path pipe = folder.resolve("output");
        folder.toFile().deleteOnExit(); // runs after the hook below, if we are interrupted
        pipe.toFile().deleteOnExit();
        Ending ending = new Ending();
        Runtime.getRuntime().addShutdownHook(ending);
        try {
            if (new ProcessBuilder(tool("mkfifo"), pipe.toString()).start().waitFor() != 0) {
                throw new IOException("no pipe could be made in " + folder);
            }
            // Held for writing, too, so that opening it waits for nobody. Buffered, because readNBytes() of JDK 17's
            // FileInputStream asks for the length, which a pipe does not have.
            try (RandomAccessFile both = new RandomAccessFile(pipe.toFile(), "rw");
                    InputStream output = new BufferedInputStream(new FileInputStream(both.getFD()))) {
                return result(ending.start(builder(command, input).redirectOutput(pipe.toFile())), output, longestMs);
            }
        } finally {
            ending.end();
            forget(ending);
            Files.deleteIfExists(pipe);
            Files.deleteIfExists(folder);
        }
    }

    private static Result result(Process process, InputStream output, long longestMs)
            throws IOException, InterruptedException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(longestMs);
        boolean hasEnded = false;
        while (!hasEnded && System.nanoTime() < endNs) {
            hasEnded = process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS);
            // Not up to the end of file, which others may put off by writing on.
            byte[] there = output.readNBytes(output.available());
            text.write(there, 0, Math.min(there.length, MOST_BYTES - text.size()));
        }
        return new Result(hasEnded, hasEnded ? process.exitValue() : -1, text.toString(StandardCharsets.UTF_8));
    }

    private static void forget(Ending ending) {
        try {
            Runtime.getRuntime().removeShutdownHook(ending);
        } catch (IllegalStateException endingAlready) {
            return;
        }
    }

    private ProcessBuilder builder(List<String> command, Path input) throws IOException {
        boolean isOurUser = target.self().isSameUser(target.status());
        // The shell opens the input with our rights, a folder, too, which Java does not.
        List<String> whole = new ArrayList<>(List.of(tool("sh"), "-c", "exec \"$@\" <\"$0\"", input.toString()));
        whole.addAll(isOurUser ? List.of() : prefix());
        whole.addAll(command);
        ProcessBuilder builder =
                new ProcessBuilder(whole).directory(new File("/")).redirectErrorStream(true);
        if (isOurUser) {
            JvmFlags.VARIABLES.forEach(builder.environment()::remove);
        } else {
            builder.environment().clear();
            builder.environment().putAll(ENVIRONMENT);
        }
        return builder;
    }

    /** A child of ours leads no process group, so setsid becomes the program itself. */
    private List<String> prefix() throws IOException {
        ProcessStatus user = target.status();
        List<String> prefix = new ArrayList<>(List.of(tool("setsid"), tool("setpriv")));
        prefix.addAll(List.of("--reuid=" + id(user.uid()), "--regid=" + id(user.gid()), groups(user)));
        prefix.addAll(List.of("--no-new-privs", "--inh-caps=-all"));
        if (target.self().limitsCapabilities()) {
            prefix.add("--bounding-set=-all");
        }
        return prefix;
    }

    private static String groups(ProcessStatus user) {
        return user.groups().isEmpty()
                ? "--clear-groups"
                : "--groups="
                        + user.groups().stream().map(UnprivilegedProgram::id).collect(Collectors.joining(","));
    }

    private static String id(int number) {
        return Integer.toUnsignedString(number);
    }

    /** Looks in our own PATH, which the program does not get. */
    private static String tool(String name) throws IOException {
        return Arrays.stream(
                        System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(":"))
                .map(folder -> Path.of(folder).resolve(name))
                .filter(file -> file.isAbsolute() && Files.isExecutable(file))
                .findFirst()
                .orElseThrow(() -> new IOException("there is no " + name))
                .toString();
    }

    /** Ctrl-C does not reach the program, because it has a session of its own. */
    private static final class Ending extends Thread {
        private Process process;
        private boolean hasBegun;

        /** No process starts after the hook has begun. */
        synchronized Process start(ProcessBuilder builder) throws IOException {
            if (hasBegun) {
                throw new IOException("interrupted");
            }
            process = builder.start();
            return process;
        }

        @Override
        public void run() {
            end();
        }

        synchronized void end() {
            hasBegun = true;
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }
}
