// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.Jdk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts a program that works on a database in a child JVM. */
public final class ProgramJvm {
    /** Since this version, the JDK warns about sun.misc.Unsafe's memory access, on which QuestDB is built. */
    private static final int UNSAFE_WARNING_SINCE = 24;
    /** Since this version, the JDK warns about System.load, by which QuestDB loads its native part. */
    private static final int NATIVE_ACCESS_WARNING_SINCE = 24;
    /** Since this version, the JDK can use smaller object headers; a later one does so by default. */
    private static final int COMPACT_HEADERS_SINCE = 25;

    private ProgramJvm() {}

    /** A JVM that leaves nothing outside of {@code scratch}, however it ends. */
    public static ChildJvm.Builder on(Jdk jdk, Path scratch) {
        return ChildJvm.on(jdk)
                .jvmOptions(
                        "-Xms256m",
                        "-Xmx512m",
                        // Uses one thread of the collector, because on few CPUs the others would compete with the
                        // workers.
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-XX:ErrorFile=" + scratch.resolve("hs_err.log"),
                        "-Djava.io.tmpdir=" + scratch)
                .jvmOptions(silence(jdk.feature()))
                .jvmOptions(usualHeaders(jdk.feature()));
    }

    static List<String> silence(int feature) {
        List<String> options = new ArrayList<>();
        if (feature >= UNSAFE_WARNING_SINCE) {
            options.add("--sun-misc-unsafe-memory-access=allow");
        }
        if (feature >= NATIVE_ACCESS_WARNING_SINCE) {
            options.add("--enable-native-access=ALL-UNNAMED");
        }
        return options;
    }

    /**
     * QuestDB 9.3.4 writes to objects at the former offsets of their fields, and breaks the heap with smaller headers.
     */
    static List<String> usualHeaders(int feature) {
        return feature >= COMPACT_HEADERS_SINCE ? List.of("-XX:-UseCompactObjectHeaders") : List.of();
    }
}
