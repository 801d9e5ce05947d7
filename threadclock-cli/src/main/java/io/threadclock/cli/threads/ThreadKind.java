// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import java.util.List;
import java.util.Locale;

/** What a thread is for, told by the name that the JVM has given it. */
public enum ThreadKind {
    /** A thread of the program. */
    JAVA,
    /** One that carries virtual threads. */
    CARRIER,
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
    /** Anything else that the JVM has for itself. */
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
    /** No thread of Java, and not known to be the JVM's. */
    NATIVE,
    /** The agent's own, which serves snapshots. */
    VIEW;

    private final List<String> names;

    /** @param names or what they begin with */
    ThreadKind(String... names) {
        this.names = List.of(names);
    }

    /**
     * By its name, whole or the kernel's.
     *
     * @param isJava whether it is known to be a thread of Java
     */
    public static ThreadKind of(String name, boolean isJava) {
        for (ThreadKind kind : values()) {
            if (kind.names.stream().anyMatch(known -> KernelName.mayBeOneOf(name, known))) {
                return kind;
            }
        }
        return isJava ? JAVA : NATIVE;
    }

    /** Whether it is the JVM's own. */
    public boolean isOfVm() {
        return this == GC || this == JIT || this == VM;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
