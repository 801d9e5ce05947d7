// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.attach.AttachSocket;
import io.threadclock.cli.attach.Attachment;
import io.threadclock.cli.attach.LibraryFile;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import io.threadclock.cli.threads.AgentSocket;
import io.threadclock.cli.threads.AgentThreadReader;
import io.threadclock.cli.threads.JvmRequests;
import io.threadclock.cli.threads.ProcThreadReader;
import io.threadclock.cli.threads.ProcessEnded;
import io.threadclock.cli.threads.ProcessSilent;
import io.threadclock.cli.threads.SchedStat;
import io.threadclock.cli.threads.ThreadReader;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Opens the reader of a JVM's threads, through the agent or from outside. */
record ThreadReaders(Target target, Duration timeout) {
    private static final String NAMES = "names"; // the agent's option
    private static final Path SOCKETS = Path.of("/tmp/.threadclock_"); // their beginning, as the JVM sees it
    private static final int TIMES = 2;
    /** Nobody waits for the stacks; a caller goes on without them. */
    private static final Duration STACKS_TIMEOUT = Duration.ofMinutes(2);

    /** Reads from outside, with nothing put into the JVM. */
    ThreadReader fromOutside() {
        target.endHelper();
        return new ProcThreadReader(target.files());
    }

    /**
     * Reads through the agent.
     *
     * @throws Refusal if the agent cannot be loaded into the JVM, or does not serve
     */
    AgentThreadReader attached(LibraryFile library) {
        try {
            return attached(library, TIMES);
        } catch (RuntimeException | Error refused) {
            target.endHelper();
            throw refused;
        }
    }

    /** The source in use in a JVM that is attached, as its agent says; empty if it does not. */
    Optional<String> source(LibraryFile library) {
        try (AgentThreadReader reader = attached(library)) {
            return Optional.of(reader.source());
        } catch (Refusal | ProcessEnded | ProcessSilent unknown) {
            return Optional.empty();
        }
    }

    /** Its last client may leave between its answer and the connection, and its view with it. */
    private AgentThreadReader attached(LibraryFile library, int times) {
        sweep();
        new Attachment(target, timeout).view(library);
        target.confirm();
        Path socket = SOCKETS.resolveSibling(
                SOCKETS.getFileName() + "" + target.status().namespacePid());
        try {
            SocketChannel view = target.helper().view(timeout, socket);
            return new AgentThreadReader(new AgentSocket(view, timeout), target::endHelper, new TargetJvm(library));
        } catch (IOException refused) {
            if (times > 1) {
                return attached(library, times - 1);
            }
            throw new Refusal(
                    "looking at the threads of process " + target.pid(),
                    "its socket " + socket + " cannot be used, " + refused.getMessage(),
                    "Try again as its user; or look from outside, by --no-attach.");
        }
    }

    /** The agent says so itself if it has no such folder. */
    private void sweep() {
        target.confirm();
        try {
            target.helper().sweep(timeout, SOCKETS);
        } catch (IOException none) {
            return;
        }
    }

    private final class TargetJvm implements JvmRequests {
        private final LibraryFile library;

        TargetJvm(LibraryFile library) {
            this.library = library;
        }

        @Override
        public boolean hasEnded() {
            return target.hasEnded();
        }

        /** Empty where the JVM does not answer. */
        @Override
        public String stacks() {
            try {
                // With what they have allocated.
                return new AttachSocket(target).answer(STACKS_TIMEOUT, "threaddump", "-e");
            } catch (IOException | Refusal refused) {
                return "";
            }
        }

        @Override
        public Optional<SchedStat> schedStat(int tid) {
            return target.sharesTids() ? SchedStat.ofThread(target.files(), tid) : Optional.empty();
        }

        @Override
        public void findCarriers() {
            new Attachment(target, timeout).attach(library, NAMES);
        }
    }
}
