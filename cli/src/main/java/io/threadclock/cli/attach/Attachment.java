// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Puts the agent into a running JVM, or takes it out, and reports the result.
 *
 * @param target a process that has been found to be a HotSpot
 */
public record Attachment(Target target, Duration timeout) {
    private static final String DETACH = "detach";
    private static final String VIEW = "view";
    private static final String NO_ANSWER = "it has done what it was asked for, and has not answered";

    /**
     * Attaches the agent; if it is attached already, gives it these options.
     *
     * @throws Refusal if the JVM has not got the clock, or it cannot be told whether it has
     */
    public Attached attach(LibraryFile library, String options) {
        boolean wasInUse = isInUse(true);
        String tried = "attaching to process " + target.pid();
        return load(library, options, tried, () -> !wasInUse && isInUse(true));
    }

    private boolean isInUse(boolean expected) {
        return StatusPages.isInUse(target).equals(Optional.of(expected));
    }

    /**
     * Makes the agent serve the times of all threads, as long as it has a client. ThreadMXBean stays as it is.
     *
     * @throws Refusal if it does not serve
     */
    public Attached view(LibraryFile library) {
        return load(library, VIEW, "looking at the threads of process " + target.pid(), () -> false);
    }

    /** @param isDone whether it can be seen from outside that this is done, though the JVM has not answered */
    private Attached load(LibraryFile library, String options, String tried, BooleanSupplier isDone) {
        target.refuseHarm();
        LibraryPath place = LibraryPath.of(library, target);
        AttachAnswer answer = ask(place.path(), options);
        if (answer.kind() == AttachAnswer.Kind.UNANSWERED && isDone.getAsBoolean()) {
            return new Attached(answer, NO_ANSWER, place.isLoaded());
        }
        refuse(tried, place.path(), answer);
        return new Attached(answer, place.note(), place.isLoaded());
    }

    /**
     * Restores the JVM's original methods, whichever copy of the library, of whatever version, has replaced them.
     *
     * @throws Refusal if the JVM has them already, or could not be asked
     */
    public Attached detach(LibraryFile library) {
        String tried = "detaching from process " + target.pid();
        if (target.code(LibraryFile::isNamed).isEmpty()) {
            throw AgentReturnCode.NOT_ATTACHED.refusal(tried);
        }
        boolean wasInUse = isInUse(true);
        return load(library, DETACH, tried, () -> wasInUse && isInUse(false));
    }

    /**
     * The result of a request that was done.
     *
     * @param note something that the user should know, or empty
     * @param wasLoaded whether the library was in the JVM before
     */
    public record Attached(AttachAnswer answer, String note, boolean wasLoaded) {
        /** False if the result was only seen from outside. */
        public boolean hasAnswered() {
            return answer.kind() == AttachAnswer.Kind.RETURNED;
        }
    }

    private AttachAnswer ask(String library, String options) {
        target.confirm();
        // Threads may have started while the library was copied.
        target.endIfAsked().ifPresent(refusal -> {
            throw refusal;
        });
        return new AttachSocket(target).load(timeout, library, options);
    }

    private void refuse(String tried, String library, AttachAnswer answer) {
        Optional<Refusal> refusal = refusal(tried, library, answer);
        if (refusal.isPresent()) {
            throw target.hasEnded() ? target.ended() : refusal.get();
        }
    }

    private Optional<Refusal> refusal(String tried, String library, AttachAnswer answer) {
        return switch (answer.kind()) {
            case RETURNED -> AgentReturnCode.refusal(tried, answer.code());
            case SILENT -> Optional.of(silence(tried));
            case UNANSWERED -> Optional.of(unanswered(tried));
            case NOT_ATTACHED ->
                Optional.of(new Refusal(
                        tried,
                        "the JVM cannot be reached, " + answer.text(),
                        "Try again, or start it with -agentpath."));
            case NOT_LOADED -> Optional.of(notLoaded(tried, library, answer.text()));
        };
    }

    private Refusal silence(String tried) {
        if (target.again().status().hasQuitPending()) {
            return new Refusal(
                    tried,
                    "it has not taken within " + seconds() + " s the SIGQUIT that was sent",
                    "It was asked for nothing, but prints the stacks of its threads when it goes on. See whether it is"
                            + " stopped, or its control group frozen, then try again.");
        }
        if (target.files().isFiltered() && !target.isListening()) {
            return new Refusal(
                    tried,
                    "it has made no socket within " + seconds() + " s, and has a seccomp filter",
                    "If that refuses AF_UNIX sockets (systemd: RestrictAddressFamilies), allow them, start it with"
                            + " -agentpath, or look from outside: threadclock top --no-attach " + target.pid()
                            + ". If it is busy or swapped out, give it more time by --timeout.");
        }
        return new Refusal(
                tried,
                "it did not answer within " + seconds() + " s, and was asked for nothing",
                "If it is busy or swapped out, give it more time by --timeout; if it hangs, look at it with a debugger.");
    }

    private Refusal unanswered(String tried) {
        return new Refusal(
                tried,
                "it was asked, and has not answered within " + seconds() + " s",
                "It does what it was asked for when it goes on; look then: threadclock doctor " + target.pid() + ".");
    }

    private long seconds() {
        return Math.max(1, TimeUnit.MILLISECONDS.toSeconds(timeout.toMillis()));
    }

    private static Refusal notLoaded(String tried, String library, String text) {
        if (text.contains("Dynamic agent loading is not enabled")) {
            return new Refusal(
                    tried,
                    "it loads no agents while it runs (-XX:-EnableDynamicAgentLoading)",
                    "Start it with -XX:+EnableDynamicAgentLoading, or with -agentpath.");
        }
        String words = text.replace(library + " was not loaded. ", "").replace(library + ": ", "");
        boolean saysNothing = words.isBlank();
        return new Refusal(
                tried,
                "it cannot load " + library + ", " + (saysNothing ? "and JDK 8 does not say why" : words),
                "Check that it was built for this machine and its libc, and that the process may read and execute it.");
    }
}
