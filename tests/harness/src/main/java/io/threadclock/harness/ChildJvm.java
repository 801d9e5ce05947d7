// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A JVM that this JVM has started, ended by its pid at the latest when this JVM ends (Ctrl-C included).
 *
 * <p>The variables through which options slip into every JVM (JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS, _JAVA_OPTIONS) are
 * removed from its environment, so that a measurement runs with the options that it states.
 */
public final class ChildJvm implements AutoCloseable {
    private static final List<String> OPTION_VARIABLES =
            List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");
    private static final int DEATH_TIMEOUT_S = 60;

    private final Process process;
    private final Duration timeout;
    private final Duration grace;
    private final Writer stdin;
    private final Stream stdout;
    private final Stream stderr;

    private ChildJvm(Process process, Builder builder) {
        this.process = process;
        this.timeout = builder.timeout;
        this.grace = builder.grace;
        this.stdin = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        this.stdout = new Stream(process.getInputStream(), builder.onStdout);
        this.stderr = new Stream(process.getErrorStream(), builder.onStderr);
    }

    public static Builder on(Jdk jdk) {
        return new Builder(jdk);
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Sends one line to its standard input.
     *
     * @throws UncheckedIOException if it no longer reads
     */
    public void send(String line) {
        try {
            stdin.write(line + "\n");
            stdin.flush();
        } catch (IOException ended) {
            throw new UncheckedIOException("child JVM " + pid() + " no longer reads its standard input", ended);
        }
    }

    /** Closes its standard input, which a program that reads it takes as the request to end. */
    public void endInput() {
        try {
            stdin.close();
        } catch (IOException alreadyClosed) {
            return;
        }
    }

    /** The lines it has written to standard error so far. */
    public List<String> stderrLinesSoFar() {
        return stderr.textSoFar().lines().toList();
    }

    /** Waits until it has ended and all of its output is read; kills it when its timeout is over. */
    public ChildResult await() {
        boolean inTime = waitFor(timeout.toMillis());
        if (!inTime) {
            kill();
            awaitDeath();
        }
        String printed = stdout.text();
        String complained = stderr.text();
        Leftovers.ofThisJvm().forget(this);
        return new ChildResult(process.exitValue(), !inTime, printed, complained);
    }

    /** Ends the JVM if it is still running: kills it, at once or when its grace is over. */
    @Override
    public void close() {
        kill();
        awaitDeath();
        Leftovers.ofThisJvm().forget(this);
    }

    void kill() {
        if (grace.isZero()) {
            process.destroyForcibly();
        } else {
            process.toHandle().destroy(); // and not process.destroy(), which closes the output as well
        }
    }

    void awaitDeath() {
        if (!grace.isZero() && !waitFor(grace.toMillis())) {
            process.destroyForcibly();
        }
        if (!waitFor(TimeUnit.SECONDS.toMillis(DEATH_TIMEOUT_S))) {
            throw new IllegalStateException("child JVM " + pid() + " survived SIGKILL for " + DEATH_TIMEOUT_S + " s");
        }
    }

    private boolean waitFor(long timeoutMs) {
        try {
            return process.waitFor(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** One output stream: read to its end by a thread of its own, so that the child never blocks on a full pipe. */
    private static final class Stream {
        private final StringBuilder text = new StringBuilder();
        private final Thread reader;

        Stream(InputStream input, Consumer<String> onLine) {
            reader = new Thread(() -> read(input, onLine), "child-output");
            reader.setDaemon(true);
            reader.start();
        }

        private void read(InputStream input, Consumer<String> onLine) {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    synchronized (text) {
                        text.append(line).append('\n');
                    }
                    onLine.accept(line);
                }
            } catch (IOException closedByKill) {
                return;
            }
        }

        String text() {
            try {
                reader.join(TimeUnit.SECONDS.toMillis(DEATH_TIMEOUT_S));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return textSoFar();
        }

        String textSoFar() {
            synchronized (text) {
                return text.toString();
            }
        }
    }

    /** Describes what to start, and how. */
    public static final class Builder {
        private final Jdk jdk;
        private final List<String> starter = new ArrayList<>();
        private final List<String> jvmOptions = new ArrayList<>();
        private final List<String> arguments = new ArrayList<>();
        private final Map<String, String> environment = new LinkedHashMap<>();
        private String classPath = "";
        private String mainClass = "";
        private Duration timeout = Duration.ofMinutes(5);
        private Duration grace = Duration.ZERO;
        private Consumer<String> onStdout = line -> {};
        private Consumer<String> onStderr = line -> {};

        private Builder(Jdk jdk) {
            this.jdk = jdk;
        }

        /** Defaults to the class path of this JVM. */
        public Builder classPath(List<Path> entries) {
            classPath = entries.stream().map(Path::toString).collect(Collectors.joining(":"));
            return this;
        }

        /**
         * Starts the JVM by another program, which gets the JVM's command line and must replace itself by it (exec),
         * for example one that sets a limit, a filter or an affinity first.
         */
        public Builder startedBy(String... command) {
            starter.addAll(List.of(command));
            return this;
        }

        /** Adds options; may be called several times. */
        public Builder jvmOptions(String... options) {
            return jvmOptions(List.of(options));
        }

        public Builder jvmOptions(List<String> options) {
            jvmOptions.addAll(options);
            return this;
        }

        public Builder mainClass(Class<?> main) {
            return mainClass(main.getName());
        }

        public Builder mainClass(String name) {
            mainClass = name;
            return this;
        }

        /** Adds arguments of the program; may be called several times. */
        public Builder arguments(String... values) {
            arguments.addAll(List.of(values));
            return this;
        }

        /** Sets one variable of the child's environment; the rest is inherited. */
        public Builder environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /** After this time {@link ChildJvm#await()} kills it; five minutes unless told otherwise. */
        public Builder timeout(Duration duration) {
            timeout = duration;
            return this;
        }

        /**
         * The time from SIGTERM on in which it must end by itself, before it is killed; nothing unless told otherwise.
         */
        public Builder grace(Duration duration) {
            grace = duration;
            return this;
        }

        /** Passes each line of standard output to a listener as it comes, on a thread of its own. */
        public Builder onStdout(Consumer<String> listener) {
            onStdout = listener;
            return this;
        }

        /** Passes each line of standard error to a listener as it comes, on a thread of its own. */
        public Builder onStderr(Consumer<String> listener) {
            onStderr = listener;
            return this;
        }

        /**
         * Starts it.
         *
         * @throws SetupException if the operating system refuses
         */
        public ChildJvm start() {
            ProcessBuilder launch = new ProcessBuilder(commandLine());
            OPTION_VARIABLES.forEach(launch.environment()::remove);
            launch.environment().putAll(environment);
            try {
                return Leftovers.ofThisJvm().starting(() -> new ChildJvm(launch.start(), this));
            } catch (IOException refused) {
                throw new SetupException(
                        "Starting " + jdk.java() + " failed: " + refused.getMessage()
                                + ". Check that it is executable, or name other JDKs in THREADCLOCK_JDKS.",
                        refused);
            }
        }

        /** Starts it and waits for its end. */
        public ChildResult run() {
            try (ChildJvm child = start()) {
                return child.await();
            }
        }

        List<String> commandLine() {
            List<String> command = new ArrayList<>(starter);
            command.add(jdk.java().toString());
            command.addAll(jvmOptions);
            command.add("-cp");
            command.add(classPath.isEmpty() ? System.getProperty("java.class.path") : classPath);
            command.add(mainClass);
            command.addAll(arguments);
            return command;
        }
    }
}
