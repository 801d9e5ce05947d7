// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what the JVM's own threads have cost, by the kernel's files of this process's threads. A thread counts from
 * its start, and stays counted when it has ended, except what it used after the last look. Not thread-safe.
 */
final class JvmThreads {
    /** Those of this process. */
    static final File OWN_TASKS = new File("/proc/self/task");

    private static final int LONGEST_LINE = 128;

    private final File tasks;
    private final Supplier<BiPredicate<Integer, String>> javaThreads;
    private final Map<JvmThreadKind, Long> totalsNs = new EnumMap<>(JvmThreadKind.class);
    private Map<Integer, Known> threads = new HashMap<>();

    /**
     * Has looked at no thread yet.
     *
     * @param tasks a folder like {@link #OWN_TASKS}
     * @param javaThreads tells by its tid and the kernel's name whether a thread is a Java thread that a program can
     *     see, which is not counted; it is asked for when a new thread has a name of the JVM's
     */
    JvmThreads(File tasks, Supplier<BiPredicate<Integer, String>> javaThreads) {
        this.tasks = tasks;
        this.javaThreads = javaThreads;
    }

    /**
     * Looks at all threads. Opens one file for each of the JVM's own threads, and one more for each thread that is new,
     * at its first two looks. What cannot be read now, as while no file can be opened, is counted at the next look.
     */
    void look() {
        String[] tids = tasks.list();
        if (tids == null) {
            return;
        }
        Map<Integer, Known> living = new HashMap<>();
        BiPredicate<Integer, String> visible = null;
        for (String text : tids) {
            int tid = Integer.parseInt(text);
            Known thread = threads.getOrDefault(tid, new Known());
            if (!thread.isNamed) {
                thread.name(line(tasks, tid, "comm"));
                if (thread.kind != null) {
                    visible = visible == null ? javaThreads.get() : visible;
                    thread.kind = visible.test(tid, thread.lastName) ? null : thread.kind;
                }
            }
            book(tid, thread);
            living.put(tid, thread);
        }
        threads = living;
    }

    /** CPU time of the threads of this kind that have been found, in ns. */
    long totalNs(JvmThreadKind kind) {
        return totalsNs.getOrDefault(kind, 0L);
    }

    /** A thread whose time is less than before has got the tid of one that has ended. */
    private void book(int tid, Known thread) {
        if (thread.kind == null) {
            return;
        }
        long nowNs = cpuNs(tid);
        if (nowNs < 0) {
            return;
        }
        if (nowNs < thread.cpuNs) {
            thread.isNamed = false;
        } else {
            totalsNs.merge(thread.kind, nowNs - thread.cpuNs, Long::sum);
        }
        thread.cpuNs = thread.isNamed ? nowNs : 0;
    }

    /** As far as the kernel has booked it: it may be behind by a clock tick. -1 if it cannot be read. */
    private long cpuNs(int tid) {
        String line = line(tasks, tid, "schedstat");
        int end = line == null ? -1 : line.indexOf(' ');
        return end < 0 ? -1 : Long.parseLong(line.substring(0, end));
    }

    /** The line of a thread's file, a char for each byte; null if it cannot be read. Makes three system calls. */
    static @Nullable String line(File tasks, int tid, String file) {
        byte[] line = new byte[LONGEST_LINE];
        try (FileInputStream opened = new FileInputStream(tasks + "/" + tid + "/" + file)) {
            int length = opened.read(line);
            // A name that was cut may end with a space.
            return length < 1 ? null : new String(line, 0, length - 1, StandardCharsets.ISO_8859_1);
        } catch (IOException refused) { // the thread has ended, or no file can be opened
            return null;
        }
    }

    /** The known facts of a thread. */
    private static final class Known {
        /** Null if it is not the JVM's. */
        JvmThreadKind kind;

        boolean isNamed;
        long cpuNs;
        private String lastName;

        /**
         * A thread that starts has its parent's name at first, so a name counts that it has twice, or that is the
         * JVM's.
         */
        void name(@Nullable String name) {
            kind = name == null ? null : JvmThreadKind.of(name).orElse(null);
            isNamed = kind != null || name != null && name.equals(lastName);
            lastName = name;
        }
    }
}
