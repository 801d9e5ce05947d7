// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The kind of a thread of the JVM's own, told by the name that the JVM has given it.
 *
 * @since 0.1
 */
public enum JvmThreadKind {
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
            "Shenandoah Control Thread",
            "Shenandoah Regulator Thread",
            "Shenandoah Uncommit Thread",
            "Shenandoah GC Threads#",
            "StrDedup",
            "StringDedup",
            "StringDedupThread",
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
            "RuntimeWorker#",
            "Safepoint Cleanup Thread#",
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
            "JDWP ",
            "VirtualThread-unparker",
            "VirtualThread-unblocker");

    /** The kernel's names have 15 bytes. JDKs up to 25 store the first bytes of a name, newer ones its ends. */
    private static final int LONGEST = 15;

    private static final String LEFT_OUT = "..";
    private static final int FIRST = 7;

    private final List<String> names;

    JvmThreadKind(String... namesOrTheirBeginnings) {
        this.names = Arrays.asList(namesOrTheirBeginnings);
    }

    /**
     * {@return the kind of the JVM's threads with this name; empty if it is another thread's} A program may give the same
     * names to its own threads.
     *
     * @param name of the thread, whole or the kernel's
     */
    public static Optional<JvmThreadKind> of(String name) {
        return Arrays.stream(values())
                .filter(kind -> kind.names.stream().anyMatch(known -> mayBeOneOf(name, known)))
                .findFirst();
    }

    /** Whether the kernel has this name, a char for each byte, for a thread with that one. */
    static boolean isKernelsNameOf(String kernels, String name) {
        String whole = new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return kernels.equals(whole)
                || kernels.length() == LONGEST && (whole.startsWith(kernels) || isAbbreviation(kernels, whole));
    }

    /** Whether it may be one of the numbered threads with this name, as {@code C2 Comp..hread0} is a {@code C2 CompilerThread}. */
    private static boolean mayBeOneOf(String name, String known) {
        return name.startsWith(known)
                || name.length() == LONGEST
                        && (known.startsWith(name) || isAbbreviation(name.replaceFirst("\\d+$", ""), known));
    }

    private static boolean isAbbreviation(String name, String whole) {
        return name.startsWith(LEFT_OUT, FIRST)
                && whole.startsWith(name.substring(0, FIRST))
                && whole.endsWith(name.substring(FIRST + LEFT_OUT.length()));
    }
}
