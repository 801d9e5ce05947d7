// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import io.threadclock.JvmThreadKind;
import java.util.Locale;

/** The kind of a thread, told by the name that the JVM has given it. */
public enum ThreadKind {
    /** A thread of the program. */
    JAVA,
    /** A carrier of virtual threads. */
    CARRIER,
    /** Measured virtual threads, which are no threads of the kernel. */
    VIRTUAL,
    /** Collects garbage. */
    GC,
    /** Compiles. */
    JIT,
    /** Any other thread of the JVM's own. */
    VM,
    /** A thread that is not a Java thread, and not known to be the JVM's. */
    NATIVE,
    /** The agent's own thread, which serves snapshots. */
    VIEW;

    /**
     * The kind of a thread with this name, whole or the kernel's.
     *
     * @param isJava whether it is known to be a Java thread
     */
    public static ThreadKind of(String name, boolean isJava) {
        return JvmThreadKind.of(name).map(kind -> valueOf(kind.name())).orElse(isJava ? JAVA : NATIVE);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
