// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Requests and answers between a parent and a child process, each a line of JSON. A request is a line of the child's
 * standard input, an answer a line <code>{"answer": …}</code> of its standard output; other lines of the child are not
 * answers. Requests and answers are records, numbers, strings, or whatever Jackson maps. A child JVM is 17 or newer, as
 * this class is. One thread asks; the child answers in order.
 *
 * <pre>{@code
 * record Request(int calls) {}
 * record Answer(double nsPerCall) {}
 *
 * // In the child, until its standard input ends:
 * Exchange.answerEach(Request.class, request -> new Answer(measure(request.calls())));
 *
 * // In the parent:
 * try (Exchange child = new Exchange("the loop on " + jdk, ChildJvm.on(jdk).mainClass(Loop.class))) {
 *     double ns = child.ask(new Request(1000), Answer.class).nsPerCall();
 * }
 * }</pre>
 *
 * <p>A program that gets everything on its command line prints its answers in the same way: see {@link #answersIn}.
 */
public final class Exchange implements AutoCloseable {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            // The locale of a container is often C.
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    private static final String ANSWER = "answer";
    private static final String BEGINNING = "{\"" + ANSWER + "\":";

    /** The time for an answer on a machine that is busy with other things. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final long ALIVE_CHECK_MS = 200;
    /** The exit status of a JVM that SIGINT has ended. */
    private static final int INTERRUPTED = 130;

    private final String name;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final ChildJvm jvm;

    /**
     * Starts the child.
     *
     * @param name how messages name it
     */
    public Exchange(String name, ChildJvm.Builder program) {
        this.name = name;
        this.jvm = program.onStdout(this::take).start();
    }

    /** Answers each request on standard input, until that ends. */
    public static <R> void answerEach(Class<R> type, Function<R, ?> answer) throws IOException {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            answer(answer.apply(MAPPER.readValue(line, type)));
        }
    }

    /** Prints an answer that needs no request. */
    public static void answer(Object answer) {
        System.out.println(BEGINNING + json(answer) + "}");
    }

    /**
     * Returns the answers in the whole output of a program.
     *
     * @throws IllegalArgumentException if one of them has another type, or is cut off
     */
    public static <A> List<A> answersIn(String stdout, Class<A> type) {
        return stdout.lines()
                .filter(line -> line.startsWith(BEGINNING))
                .map(answer -> parsed(answer, type))
                .toList();
    }

    /**
     * Asks, and waits for the answer: a minute at most.
     *
     * @throws SetupException if the child ends or does not answer in time
     * @throws EndingException if it ends because of Ctrl-C, or because this JVM ends
     */
    public <A> A ask(Object request, Class<A> type) {
        return ask(request, type, Duration.ZERO);
    }

    /**
     * As {@link #ask(Object, Class)}, for a request that keeps the child busy.
     *
     * @param work how long it takes on an idle machine
     */
    public <A> A ask(Object request, Class<A> type, Duration work) {
        String line = json(request);
        send(line);
        Duration timeout = PATIENCE.plus(work);
        long endNs = System.nanoTime() + timeout.toNanos();
        while (System.nanoTime() - endNs < 0) {
            String answer = poll();
            if (answer != null) {
                return parsed(answer, type);
            }
            if (!jvm.isAlive()) {
                throw ended();
            }
        }
        throw new SetupException("Asking " + name + " for " + line + ": no answer in " + timeout.toSeconds()
                + " s. Run it again when the machine is less busy.");
    }

    public long pid() {
        return jvm.pid();
    }

    public boolean isAlive() {
        return jvm.isAlive();
    }

    /** The lines that it has written to standard error so far. */
    public List<String> stderrLines() {
        return jvm.stderrLinesSoFar();
    }

    /** The lines that its agent has printed so far. */
    public List<String> agentLines() {
        return AgentLibrary.linesOf(jvm.stderrLinesSoFar());
    }

    /** Lets it end by itself. */
    public ChildResult end() {
        jvm.endInput();
        return jvm.await();
    }

    /** The name in messages. */
    @Override
    public String toString() {
        return name;
    }

    @Override
    public void close() {
        jvm.close();
    }

    private static String json(Object message) {
        try {
            return MAPPER.writeValueAsString(message);
        } catch (JsonProcessingException unmappable) {
            throw new IllegalArgumentException("no JSON can be made of " + message, unmappable);
        }
    }

    private static <A> A parsed(String line, Class<A> type) {
        try {
            return MAPPER.treeToValue(MAPPER.readTree(line).path(ANSWER), type);
        } catch (JsonProcessingException other) {
            throw new IllegalArgumentException("no " + type.getSimpleName() + ": " + line, other);
        }
    }

    private void send(String line) {
        try {
            jvm.send(line);
        } catch (UncheckedIOException closed) {
            throw ended();
        }
    }

    private void take(String line) {
        if (line.startsWith(BEGINNING)) {
            answers.add(line);
        }
    }

    private String poll() {
        try {
            return answers.poll(ALIVE_CHECK_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + name, interrupted);
        }
    }

    private RuntimeException ended() {
        ChildResult result = jvm.await();
        // Ctrl-C ends both JVMs, and the child may end before this one begins to.
        if (result.exitStatus() == INTERRUPTED || Leftovers.ofThisJvm().areBeingRemoved()) {
            return new EndingException();
        }
        // Shows the exception if there is one, because a program may have printed other lines before.
        String reason = result.stderrLines().stream()
                .filter(line -> !line.isBlank())
                .reduce((first, last) -> first.startsWith("Exception") ? first : last)
                .orElse("it said nothing");
        return new SetupException("Running " + name + ": it ended: " + reason
                + ". If memory is short, free some (each JVM needs 100 MB), then run it again.");
    }
}
