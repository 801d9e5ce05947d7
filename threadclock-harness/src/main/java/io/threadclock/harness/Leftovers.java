// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The things that must be gone when this JVM ends, except by SIGKILL: child processes first, then the directories to
 * which they wrote. There is one shutdown hook for both, because two hooks would run in no particular order.
 */
final class Leftovers {
    private static final Leftovers OF_THIS_JVM = new Leftovers();

    private final Set<ChildJvm> children = new LinkedHashSet<>();
    private final Set<ScratchDirectory> directories = new LinkedHashSet<>();
    private volatile boolean ending;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(OF_THIS_JVM::remove, "remove-leftovers"));
    }

    private Leftovers() {}

    static Leftovers ofThisJvm() {
        return OF_THIS_JVM;
    }

    /** Starts something that will need removal. Refuses to start anything after the end has begun. */
    synchronized ChildJvm starting(Start<ChildJvm> start) throws IOException {
        refuseIfEnding();
        ChildJvm child = start.run();
        children.add(child);
        return child;
    }

    synchronized ScratchDirectory creating(Start<ScratchDirectory> start) throws IOException {
        refuseIfEnding();
        ScratchDirectory directory = start.run();
        directories.add(directory);
        return directory;
    }

    /** Whether this JVM has begun to end. Does not wait, as the other methods do, until all is removed. */
    boolean areBeingRemoved() {
        return ending;
    }

    synchronized void forget(ChildJvm child) {
        children.remove(child);
    }

    synchronized void forget(ScratchDirectory directory) {
        directories.remove(directory);
    }

    private void refuseIfEnding() {
        if (ending) {
            throw new EndingException();
        }
    }

    private synchronized void remove() {
        ending = true;
        children.forEach(ChildJvm::kill);
        children.forEach(ChildJvm::awaitDeath);
        directories.forEach(ScratchDirectory::delete);
    }

    @FunctionalInterface
    interface Start<T> {
        T run() throws IOException;
    }
}
