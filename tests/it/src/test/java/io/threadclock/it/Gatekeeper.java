// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.ChildJvm;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Waits for a program at its gates, attaches or detaches there, and lets it go on. */
final class Gatekeeper implements Consumer<String> {
    private static final String GATE = "gate ";

    private final Presence presence;
    private final CompletableFuture<ChildJvm> child = new CompletableFuture<>();
    private volatile Throwable failure;
    private volatile boolean hasOpened;

    Gatekeeper(Presence presence) {
        this.presence = presence;
    }

    /** The program whose lines are coming. */
    void guard(ChildJvm started) {
        child.complete(started);
    }

    @Override
    public void accept(String line) {
        if (!line.startsWith(GATE)) {
            return;
        }
        ChildJvm waiting = child.join();
        try {
            presence.at(line.substring(GATE.length()), waiting);
            hasOpened = true;
            waiting.send("");
        } catch (AssertionError | RuntimeException failed) {
            failure = failed;
            waiting.endInput();
        }
    }

    /** Whether the program came to a gate, if anything was to be done at one. */
    boolean hasActed() {
        return hasOpened || !presence.acts();
    }

    void rethrowFailure() {
        if (failure != null) {
            throw new AssertionError("at a gate of the program: " + failure.getMessage(), failure);
        }
    }
}
