// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import com.sun.tools.attach.VirtualMachine;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.EndingException;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.SetupException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A JVM that measures when it is asked, so that several take turns: a request is a line of its standard input, an
 * answer a line of its standard output. The program calls {@link #serve}. One thread asks.
 */
final class Child implements AutoCloseable {
    private static final String ANSWER = "answer ";
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final long ALIVE_CHECK_MS = 200;
    /** A JVM that was attached to has a socket in /tmp, and only if it ends by itself does it remove that. */
    private static final Duration GRACE = Duration.ofSeconds(5);
    /** The exit status of a JVM that SIGINT has ended. */
    private static final int INTERRUPTED = 130;

    private final String name;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final ChildJvm jvm;

    /** The program's answer to a request. */
    interface Service {
        String answer(String request) throws Exception;
    }

    private Child(String name, ChildJvm.Builder program) {
        this.name = name;
        this.jvm = program.onStdout(this::take).start();
    }

    /** Starts a program, one of this module's, with these options of the JVM. */
    static Child start(Jdk jdk, Class<?> program, List<String> jvmOptions, String... arguments) {
        return new Child(
                program.getSimpleName() + " on " + jdk,
                ChildJvm.on(jdk)
                        .grace(GRACE)
                        .jvmOptions(usual(jdk.feature()))
                        .jvmOptions(jvmOptions)
                        .mainClass(program)
                        .arguments(arguments));
    }

    /** The options of each JVM here: no threads beside the program's own, and no warnings about QuestDB. */
    static List<String> usual(int feature) {
        List<String> options = new ArrayList<>(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
        options.add("-Dthreadclock.library=" + agent().path());
        options.add("-Dthreadclock.bench.library=" + Options.built("libbareclocks.so"));
        options.add("-XX:ErrorFile=" + System.getProperty("java.io.tmpdir") + "/hs_err_%p.log");
        options.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        if (feature >= 24) {
            options.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
        }
        // QuestDB writes to objects at the offsets that fields have behind usual headers.
        if (feature >= 25) {
            options.add("-XX:-UseCompactObjectHeaders");
        }
        return options;
    }

    static AgentLibrary agent() {
        return AgentLibrary.in(Options.home());
    }

    /** Makes one that the launcher removes, whatever ends this JVM. */
    static String folder(String prefix) {
        try {
            return Files.createTempDirectory(prefix).toString();
        } catch (IOException no) {
            throw new SetupException(
                    "Creating a temporary folder failed: " + no + ". Set TMPDIR to one with room.", no);
        }
    }

    /** Answers requests until there are no more: the program's part. */
    static void serve(Service service) throws Exception {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            System.out.println(ANSWER + service.answer(line));
        }
    }

    /**
     * Asks, and waits for the answer.
     *
     * @throws SetupException if the child ends or does not answer in time
     * @throws EndingException if it ends because of Ctrl-C, or because this JVM ends
     */
    String ask(String request) {
        try {
            jvm.send(request);
            for (long beginNs = System.nanoTime(); System.nanoTime() - beginNs < PATIENCE.toNanos(); ) {
                String answer = answers.poll(ALIVE_CHECK_MS, TimeUnit.MILLISECONDS);
                if (answer != null) {
                    return answer;
                }
                if (!jvm.isAlive()) {
                    throw ended();
                }
            }
        } catch (UncheckedIOException closed) {
            throw ended();
        } catch (InterruptedException interrupted) {
            throw new EndingException();
        }
        throw new SetupException("Asking " + name + " for \"" + request + "\": no answer in " + PATIENCE.toMinutes()
                + " min. Run it again when the machine is less busy.");
    }

    /** Loads the agent while it runs. @throws SetupException if the JVM or the agent refuses */
    void attach() {
        attachTo(jvm.pid(), name);
        requireAgent();
    }

    static void attachTo(long pid, String name) {
        String tried = "Attaching to " + name;
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                machine.loadAgentPath(agent().path().toString(), "");
            } finally {
                machine.detach();
            }
        } catch (Exception no) {
            throw new SetupException(tried + " failed: " + no + ". docs/troubleshooting.md says what that means.", no);
        }
    }

    /** @throws SetupException if the agent has reported that it does not work there */
    void requireAgent() {
        AgentLibrary.refusalIn(AgentLibrary.linesOf(stderrLines())).ifPresent(line -> {
            throw new SetupException("Loading the agent into " + name + ": it answered \"" + line
                    + "\". Do as the line says, then run it again.");
        });
    }

    long pid() {
        return jvm.pid();
    }

    List<String> stderrLines() {
        return jvm.stderrLinesSoFar();
    }

    @Override
    public void close() {
        jvm.close();
    }

    private void take(String line) {
        if (line.startsWith(ANSWER)) {
            answers.add(line.substring(ANSWER.length()));
        }
    }

    private RuntimeException ended() {
        ChildResult result = jvm.await();
        // Ctrl-C ends both JVMs, and the child may end before this one begins to.
        if (result.exitStatus() == INTERRUPTED) {
            return new EndingException();
        }
        String reason = result.stderrLines().stream()
                .filter(line -> !line.isBlank())
                .reduce((first, last) -> first.startsWith("Exception") ? first : last)
                .orElse("it said nothing");
        return new SetupException("Running " + name + ": it ended: " + reason
                + ". If memory is short, free some (each JVM needs 100 MB), then run it again.");
    }
}
