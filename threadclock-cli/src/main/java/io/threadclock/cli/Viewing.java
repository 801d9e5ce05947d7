// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.attach.AttachSocket;
import io.threadclock.cli.attach.Attachment;
import io.threadclock.cli.attach.Library;
import io.threadclock.cli.process.HeldFolder;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.SocketFile;
import io.threadclock.cli.process.Target;
import io.threadclock.cli.view.AbandonedSockets;
import io.threadclock.cli.view.Jvm;
import io.threadclock.cli.view.ProcView;
import io.threadclock.cli.view.ThreadView;
import io.threadclock.cli.view.View;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Gets a look at the threads of a JVM. */
final class Viewing {
    private static final String NAMES = "names"; // what the agent is told
    private static final String SOCKET = ".threadclock_";
    /** Nobody waits for them: whoever wants them goes on without. */
    private static final Duration STACKS_TIMEOUT = Duration.ofMinutes(2);

    private final Target target;
    private final Duration timeout;

    Viewing(Target target, Duration timeout) {
        this.target = target;
        this.timeout = timeout;
    }

    /** From outside, with nothing put into it. */
    ThreadView fromOutside() {
        return new ProcView(target.files());
    }

    /**
     * Through the agent.
     *
     * @throws Refusal if the agent cannot be had in it, or lets nobody look
     */
    ThreadView attached(Library library) {
        try (HeldFolder tmp = tmp()) {
            AbandonedSockets.remove(tmp, SOCKET, target.status().uid());
        } catch (IOException none) {
            // The agent says so itself, where it has none.
        }
        new Attachment(target, timeout).view(library);
        try {
            return connect(library);
        } catch (IOException gone) {
            // Its last client may have left between the answer and now.
            new Attachment(target, timeout).view(library);
            return connectAgain(library);
        }
    }

    private ThreadView connectAgain(Library library) {
        try {
            return connect(library);
        } catch (IOException refused) {
            throw new Refusal(
                    "looking at the threads of process " + target.pid(),
                    "its socket /tmp/" + socketName() + " cannot be used, " + refused.getMessage(),
                    "Run this as its user or as root; or look from outside, by --no-attach.");
        }
    }

    private ThreadView connect(Library library) throws IOException {
        HeldFolder tmp = tmp();
        try {
            SocketFile socket = new SocketFile(tmp, socketName());
            return View.connect(socket, target.status().uid(), new TargetJvm(library), timeout);
        } catch (IOException refused) {
            tmp.close();
            throw refused;
        }
    }

    private String socketName() {
        return SOCKET + target.status().namespacePid();
    }

    private HeldFolder tmp() throws IOException {
        return HeldFolder.of(target.root(), Path.of("tmp"));
    }

    private final class TargetJvm implements Jvm {
        private final Library library;

        TargetJvm(Library library) {
            this.library = library;
        }

        @Override
        public boolean hasEnded() {
            return target.hasEnded();
        }

        /** Empty where the JVM does not answer us: HotSpot 8 answers its own user alone. */
        @Override
        public String stacks() {
            try (AttachSocket socket =
                    new AttachSocket(target.root(), target.pid(), target.status().namespacePid(), target.status().uid())) {
                return socket.answer(STACKS_TIMEOUT, "threaddump");
            } catch (IOException refused) {
                return "";
            }
        }

        @Override
        public void findCarriers() {
            new Attachment(target, timeout).attach(library, NAMES);
        }
    }
}
