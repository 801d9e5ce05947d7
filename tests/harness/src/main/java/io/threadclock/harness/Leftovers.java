// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;

/** The child processes that must be gone when this JVM ends, except by SIGKILL. */
final class Leftovers {
    private static final Leftovers OF_THIS_JVM = new Leftovers();

    private final Set<ChildJvm> children = new LinkedHashSet<>();
    private boolean ending;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(OF_THIS_JVM::remove, "remove-leftovers"));
    }

    private Leftovers() {}

    static Leftovers ofThisJvm() {
        return OF_THIS_JVM;
    }

    /** Starts a child that will need removal. Refuses to start anything after the end has begun. */
    synchronized ChildJvm starting(Start start) throws IOException {
        if (ending) {
            throw new EndingException();
        }
        ChildJvm child = start.run();
        children.add(child);
        return child;
    }

    synchronized void forget(ChildJvm child) {
        children.remove(child);
    }

    private synchronized void remove() {
        ending = true;
        children.forEach(ChildJvm::kill);
        children.forEach(ChildJvm::awaitDeath);
    }

    @FunctionalInterface
    interface Start {
        ChildJvm run() throws IOException;
    }
}
