// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

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
     * {@return the kind of the JVM's threads with this name; empty if it is another thread's} A program may give the
     * same names to its own threads.
     *
     * @param name of the thread, whole or the kernel's
     */
    public static Optional<JvmThreadKind> of(String name) {
        return Arrays.stream(values())
                .filter(kind -> kind.names.stream().anyMatch(known -> mayBeOneOf(name, known)))
                .findFirst();
    }

    /**
     * {@return whether the kernel may have this name for a thread with that one} The kernel keeps 15 bytes, and may
     * have cut a character.
     *
     * @param kernelsName a char for each byte, as {@code /proc/self/task/TID/comm} is read in ISO 8859-1
     * @param name the thread's whole name
     */
    public static boolean isKernelsNameOf(String kernelsName, String name) {
        String whole = bytes(name);
        return kernelsName.equals(whole)
                || kernelsName.length() == LONGEST
                        && (whole.startsWith(kernelsName) || isAbbreviation(kernelsName, whole));
    }

    /** A char for each byte that the JVM writes: UTF-8, but each half of a surrogate pair by itself, in three bytes. */
    private static String bytes(String name) {
        StringBuilder bytes = new StringBuilder(name.length());
        for (char unit : name.toCharArray()) {
            if (unit < 0x80) {
                bytes.append(unit);
            } else if (unit < 0x800) {
                bytes.append((char) (0xc0 | unit >> 6)).append(continuation(unit));
            } else {
                bytes.append((char) (0xe0 | unit >> 12))
                        .append(continuation(unit >> 6))
                        .append(continuation(unit));
            }
        }
        return bytes.toString();
    }

    private static char continuation(int bits) {
        return (char) (0x80 | bits & 0x3f);
    }

    /**
     * Whether it may be one of the numbered threads with this name, as {@code C2 Comp..hread0} is a {@code C2
     * CompilerThread}.
     */
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
