// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.StringReader;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks a JVM to load the agent, by the JDK's own client, as the user who runs this. A program of its own as well: the
 * part of this one that runs as another user, whom an old JVM alone lets attach.
 */
final class AttachClient {
    private static final String TIMEOUT_PROPERTY = "sun.tools.attach.attachTimeout";
    /** For the client to give up by itself first, and to remove what it has put into the file system. */
    private static final long MARGIN_MS = 2_000;

    /** What the thread that asks, and the one that waits for it, agree on: what was given up is not asked for any more. */
    private static final int REACHING = 0;

    private static final int ASKED = 1;
    private static final int GIVEN_UP = 2;

    private static final String NOT_LOADED = "Failed to load agent library";

    private final int pid;
    private final int namespacePid;
    private final long timeoutMs;
    private final AtomicInteger phase = new AtomicInteger(REACHING);
    private volatile String version = "";

    /** @param timeoutMs in which it has to be reached, and after that to answer */
    AttachClient(int pid, int namespacePid, long timeoutMs) {
        this.pid = pid;
        this.namespacePid = namespacePid;
        this.timeoutMs = timeoutMs;
    }

    /** Arguments: pid, pid in its namespace, timeout in ms, path of the library, options. Prints the answer. */
    public static void main(String[] arguments) {
        int pid = Integer.parseInt(arguments[0]);
        AttachClient client =
                new AttachClient(pid, Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
        System.out.println(client.load(arguments[3], arguments[4]).toLine());
        System.out.flush();
        // Not exit(): a thread that waits for a JVM that hangs is not worth waiting for.
        Runtime.getRuntime().halt(0);
    }

    /** Loads the library in it, by the path as it sees it, and has the answer in time. */
    AttachAnswer load(String library, String options) {
        System.setProperty(TIMEOUT_PROPERTY, Long.toString(timeoutMs));
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

    /** It has been asked by now, or never is. */
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
        try {
            answer.complete(
                    AttachSocket.isNeededFor(pid) ? askItsSocket(library, options) : ask(library, options));
        } catch (RuntimeException | Error unexpected) {
            answer.complete(answer(AttachAnswer.Kind.NOT_ATTACHED, unexpected.toString(), "", System.nanoTime()));
        }
    }

    private AttachAnswer ask(String library, String options) {
        long beginNs = System.nanoTime();
        VirtualMachine jvm;
        try {
            jvm = VirtualMachine.attach(Integer.toString(pid));
        } catch (AttachNotSupportedException | IOException refused) {
            return notAttached(refused, beginNs);
        }
        try {
            version = version(jvm.getSystemProperties());
            if (!phase.compareAndSet(REACHING, ASKED)) {
                return AttachAnswer.silent();
            }
            jvm.loadAgentPath(library, options);
            return answer(AttachAnswer.Kind.RETURNED, "", version, beginNs);
        } catch (AgentInitializationException returned) {
            return new AttachAnswer(
                    AttachAnswer.Kind.RETURNED, returned.returnValue(), "", version, elapsedMs(beginNs));
        } catch (AgentLoadException refused) {
            return notLoaded(refused, version, beginNs);
        } catch (IOException broken) {
            return answer(AttachAnswer.Kind.NOT_LOADED, broken.getMessage(), version, beginNs);
        } finally {
            detach(jvm);
        }
    }

    private AttachAnswer askItsSocket(String library, String options) {
        long beginNs = System.nanoTime();
        AttachSocket socket = new AttachSocket(pid, namespacePid);
        try {
            if (!socket.awaitListener(timeoutMs)) {
                return AttachAnswer.silent();
            }
            Properties properties = new Properties();
            properties.load(new StringReader(socket.answer("properties").replaceFirst("^\\d+\n", "")));
            version = version(properties);
            if (!phase.compareAndSet(REACHING, ASKED)) {
                return AttachAnswer.silent();
            }
            String answer = socket.answer("load", library, "true", options);
            return answered(answer.replaceFirst("^-?\\d+\n", "").strip(), version, beginNs);
        } catch (IOException refused) {
            return answer(AttachAnswer.Kind.NOT_ATTACHED, refused.getMessage(), "", beginNs);
        }
    }

    /** From JDK 9 on {@code return code: 0}, before that the bare number; anything else is why it was not loaded. */
    private static AttachAnswer answered(String text, String version, long beginNs) {
        String number = text.replaceFirst("^return code: ", "");
        if (number.matches("-?\\d+")) {
            return new AttachAnswer(
                    AttachAnswer.Kind.RETURNED, Integer.parseInt(number), "", version, elapsedMs(beginNs));
        }
        return answer(AttachAnswer.Kind.NOT_LOADED, text, version, beginNs);
    }

    /** JDK 8 answers with the bare number that the agent returned, in which a newer client sees no number. */
    private static AttachAnswer notLoaded(AgentLoadException refused, String version, long beginNs) {
        String text = refused.getMessage() == null ? "" : refused.getMessage().strip();
        text = text.startsWith(NOT_LOADED) ? text.substring(NOT_LOADED.length()).replaceFirst("^: ", "") : text;
        return answered(text, version, beginNs);
    }

    private AttachAnswer notAttached(Exception refused, long beginNs) {
        boolean wasSilent = elapsedMs(beginNs) >= timeoutMs;
        AttachAnswer.Kind kind = wasSilent ? AttachAnswer.Kind.SILENT : AttachAnswer.Kind.NOT_ATTACHED;
        return answer(kind, refused.getMessage(), "", beginNs);
    }

    private static AttachAnswer answer(AttachAnswer.Kind kind, String text, String version, long beginNs) {
        return new AttachAnswer(kind, 0, text == null ? "" : text, version, elapsedMs(beginNs));
    }

    private static String version(Properties properties) {
        return "JDK " + properties.getProperty("java.version") + ", " + properties.getProperty("java.vm.name");
    }

    private static long elapsedMs(long beginNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
    }

    private static void detach(VirtualMachine jvm) {
        try {
            jvm.detach();
        } catch (IOException endedMeanwhile) {
            return;
        }
    }
}
