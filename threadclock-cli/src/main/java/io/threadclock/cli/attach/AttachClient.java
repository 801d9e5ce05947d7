// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.OpenFolder;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks a JVM to load the agent, as the user who runs this program. It is also a program of its own, which runs as
 * another user, because an old JVM only lets its own user attach.
 */
final class AttachClient {
    /** In this time a process that has asked gives up by itself, and removes its files, before it is stopped. */
    private static final long MARGIN_MS = 2_000;

    /**
     * The state that the asking thread and the waiting thread share, so that nothing is asked after it was given up.
     */
    private static final int REACHING = 0;

    private static final int ASKED = 1;
    private static final int GIVEN_UP = 2;

    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,10}");
    private static final Pattern RETURNED = Pattern.compile("(?:return code: )?(-?\\d{1,10})");

    private final OpenFolder tmp;
    private final int pid;
    private final int namespacePid;
    private final int uid;
    private final long timeoutMs;
    private final AtomicInteger phase = new AtomicInteger(REACHING);
    private volatile String version = "";

    /**
     * @param tmp see {@link io.threadclock.cli.process.Target#openTmp}; closed when the JVM has been asked
     * @param timeoutMs the time in which the JVM must be reached, and after that must answer
     */
    AttachClient(OpenFolder tmp, int pid, int namespacePid, int uid, long timeoutMs) {
        this.tmp = tmp;
        this.pid = pid;
        this.namespacePid = namespacePid;
        this.uid = uid;
        this.timeoutMs = timeoutMs;
    }

    /**
     * The folder of the JVM's socket is standard input. Arguments: pid, pid in its namespace, its user, timeout in ms,
     * path of the library, options. Prints the answer.
     */
    public static void main(String[] arguments) throws IOException {
        AttachClient client = new AttachClient(
                OpenFolder.ofInput(),
                Integer.parseInt(arguments[0]),
                Integer.parseInt(arguments[1]),
                Integer.parseInt(arguments[2]),
                Long.parseLong(arguments[3]));
        System.out.println(client.load(arguments[4], arguments[5]).toLine());
        System.out.flush();
        // Uses halt() instead of exit(), which would wait for a thread that waits for a JVM that hangs.
        Runtime.getRuntime().halt(0);
    }

    /** Makes the JVM load the library, by a path as the JVM sees it, and returns the answer in time. */
    AttachAnswer load(String library, String options) {
        CompletableFuture<AttachAnswer> answer = new CompletableFuture<>();
        Thread asker = new Thread(() -> ask(library, options, answer), "attach");
        asker.setDaemon(true);
        long beginNs = System.nanoTime();
        asker.start();
        try {
            return await(answer).orElseGet(() -> late(answer, beginNs));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return AttachAnswer.silent();
        }
    }

    /** Called when the patience is over: the JVM has been asked by then, or is never asked. */
    private AttachAnswer late(CompletableFuture<AttachAnswer> answer, long beginNs) {
        if (phase.compareAndSet(REACHING, GIVEN_UP)) {
            return AttachAnswer.silent();
        }
        try {
            return await(answer).orElseGet(() -> AttachAnswer.unanswered(version, elapsedMs(beginNs)));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return AttachAnswer.unanswered(version, elapsedMs(beginNs));
        }
    }

    private Optional<AttachAnswer> await(CompletableFuture<AttachAnswer> answer) throws InterruptedException {
        try {
            return Optional.of(answer.get(timeoutMs + MARGIN_MS, TimeUnit.MILLISECONDS));
        } catch (TimeoutException | ExecutionException noAnswer) {
            return Optional.empty();
        }
    }

    private void ask(String library, String options, CompletableFuture<AttachAnswer> answer) {
        long beginNs = System.nanoTime();
        try (AttachSocket socket = new AttachSocket(tmp, pid, namespacePid, uid)) {
            answer.complete(ask(socket, library, options, beginNs));
        } catch (IOException refused) {
            answer.complete(answer(AttachAnswer.Kind.NOT_ATTACHED, refused.getMessage(), "", beginNs));
        } catch (RuntimeException | Error unexpected) {
            answer.complete(answer(AttachAnswer.Kind.NOT_ATTACHED, unexpected.toString(), "", beginNs));
        }
    }

    private AttachAnswer ask(AttachSocket socket, String library, String options, long beginNs) throws IOException {
        if (!socket.awaitListener(timeoutMs)) {
            return AttachAnswer.silent();
        }
        // This is later than the time at which the waiting thread gives up.
        Duration patience = Duration.ofMillis(2 * (timeoutMs + MARGIN_MS));
        version = version(socket.answer(patience, "properties"));
        if (!phase.compareAndSet(REACHING, ASKED)) {
            return AttachAnswer.silent();
        }
        return answered(socket.answer(patience, "load", library, "true", options), version, beginNs);
    }

    /**
     * After the number of the protocol, an answer is {@code return code: 0} from JDK 9 on, and the bare number before.
     * Anything else is the reason why the agent was not loaded.
     */
    static AttachAnswer answered(String answer, String version, long beginNs) {
        String text = withoutNumber(answer).strip();
        Matcher returned = RETURNED.matcher(text);
        return returned.matches()
                ? new AttachAnswer(
                        AttachAnswer.Kind.RETURNED,
                        (int) Long.parseLong(returned.group(1)),
                        "",
                        version,
                        elapsedMs(beginNs))
                : answer(AttachAnswer.Kind.NOT_LOADED, text, version, beginNs);
    }

    /** The protocol puts a line of its own before the answer. */
    private static String withoutNumber(String answer) {
        int end = answer.indexOf('\n');
        return end >= 0 && NUMBER.matcher(answer.substring(0, end)).matches() ? answer.substring(end + 1) : answer;
    }

    private static AttachAnswer answer(AttachAnswer.Kind kind, String text, String version, long beginNs) {
        return new AttachAnswer(kind, 0, text == null ? "" : text, version, elapsedMs(beginNs));
    }

    /**
     * The JVM's version and name, from its properties, in the form that java.util.Properties reads. The text may be
     * anything.
     */
    static String version(String answer) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(withoutNumber(answer)));
        } catch (IOException | IllegalArgumentException rubbish) {
            return "unknown";
        }
        return "JDK " + properties.getProperty("java.version") + ", " + properties.getProperty("java.vm.name");
    }

    private static long elapsedMs(long beginNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
    }
}
