// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import java.util.List;
import java.util.Locale;

/** The kind of a thread, told by the name that the JVM has given it. */
public enum ThreadKind {
    /** A thread of the program. */
    JAVA,
    /** A carrier of virtual threads. */
    CARRIER,
    /** Accounted virtual threads, which are no threads of the kernel. */
    VIRTUAL,
    /** Collects garbage. */
    GC(
            "GC Thread",
            "G1 ",
            "ParGC",
            "GC task thread",
            "Gang worker",
            "Concurrent Mark",
            "ZWorker",
            "ZDriver",
            "ZDirector",
            "ZStat",
            "ZUnmapper",
            "ZUncommitter",
            "XWorker",
            "XDriver",
            "XDirector",
            "Shenandoah",
            "StrDedup",
            "StringDedup",
            "Surrogate Locker Thread",
            "Epsilon"),
    /** Compiles. */
    JIT(
            "C1 CompilerThread",
            "C2 CompilerThread",
            "JVMCI CompilerThread",
            "JVMCI-native CompilerThread",
            "Sweeper thread"),
    /** Any other thread of the JVM's own. */
    VM(
            "VM Thread",
            "VM Periodic Task Thread",
            "Reference Handler",
            "Finalizer",
            "Signal Dispatcher",
            "Service Thread",
            "Monitor Deflation Thread",
            "Notification Thread",
            "Common-Cleaner",
            "Attach Listener",
            "Cleaner-",
            "JFR ",
            "DestroyJavaVM",
            "JDWP ",
            "VirtualThread-unparker",
            "VirtualThread-unblocker"),
    /** A thread that is not a Java thread, and not known to be the JVM's. */
    NATIVE,
    /** The agent's own thread, which serves snapshots. */
    VIEW;

    private final List<String> names;

    /** @param names names, or their beginnings */
    ThreadKind(String... names) {
        this.names = List.of(names);
    }

    /**
     * The kind of a thread with this name, whole or the kernel's.
     *
     * @param isJava whether it is known to be a Java thread
     */
    public static ThreadKind of(String name, boolean isJava) {
        for (ThreadKind kind : values()) {
            if (kind.names.stream().anyMatch(known -> KernelName.mayBeOneOf(name, known))) {
                return kind;
            }
        }
        return isJava ? JAVA : NATIVE;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
