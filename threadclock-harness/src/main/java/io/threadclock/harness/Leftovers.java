// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What must be gone when this JVM ends, however it ends short of SIGKILL: child processes first, then the directories
 * they wrote into. One shutdown hook for both, because two hooks would run in no particular order.
 */
final class Leftovers {
    private static final Leftovers OF_THIS_JVM = new Leftovers();

    private final Set<ChildJvm> children = new LinkedHashSet<>();
    private final Set<ScratchDirectory> directories = new LinkedHashSet<>();
    private boolean ending;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(OF_THIS_JVM::remove, "remove-leftovers"));
    }

    private Leftovers() {}

    static Leftovers ofThisJvm() {
        return OF_THIS_JVM;
    }

    /** Starts something that will need removal; a start that comes after the end has begun is refused. */
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
