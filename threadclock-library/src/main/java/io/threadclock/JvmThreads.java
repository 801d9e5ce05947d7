// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Adds up what the JVM's own threads have cost, by the kernel's files of this process's threads. A thread counts from its
 * start, and stays counted when it has ended, except what it used after the last look. Not thread-safe.
 */
final class JvmThreads {
    private static final int LONGEST_LINE = 128;

    private final File tasks;
    private final Supplier<Set<Integer>> javaTids;
    private final Map<JvmThreadKind, Long> totalsNs = new EnumMap<>(JvmThreadKind.class);
    private Map<Integer, Known> threads = new HashMap<>();

    /**
     * Has looked at no thread yet.
     *
     * @param tasks a folder like {@code /proc/self/task}
     * @param javaTids the tids of the Java threads that a program can see, which are not counted; it is asked when a new
     *     thread has a name of the JVM's
     */
    JvmThreads(File tasks, Supplier<Set<Integer>> javaTids) {
        this.tasks = tasks;
        this.javaTids = javaTids;
    }

    /** Looks at all threads. Opens one file for each thread of the JVM's own, and for each that is new. */
    void look() {
        String[] tids = tasks.list();
        Map<Integer, Known> living = new HashMap<>();
        Set<Integer> visible = null;
        for (String text : tids == null ? new String[0] : tids) {
            int tid = Integer.parseInt(text);
            Known thread = threads.getOrDefault(tid, new Known());
            if (!thread.isNamed) {
                thread.name(nameOf(tid));
                if (thread.kind != null) {
                    visible = visible == null ? javaTids.get() : visible;
                    thread.kind = visible.contains(tid) ? null : thread.kind;
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
        if (nowNs < thread.cpuNs) {
            thread.isNamed = false;
        } else {
            totalsNs.merge(thread.kind, nowNs - thread.cpuNs, Long::sum);
        }
        thread.cpuNs = thread.isNamed ? nowNs : 0;
    }

    private String nameOf(int tid) {
        return lineOf(tid, "comm");
    }

    /** As far as the kernel has booked it: it may be behind by a clock tick. 0 if the thread has ended. */
    private long cpuNs(int tid) {
        String line = lineOf(tid, "schedstat");
        int end = line.indexOf(' ');
        return end < 0 ? 0 : Long.parseLong(line.substring(0, end));
    }

    private String lineOf(int tid, String file) {
        byte[] line = new byte[LONGEST_LINE];
        try (FileInputStream opened = new FileInputStream(tasks + "/" + tid + "/" + file)) {
            int length = opened.read(line);
            return length < 0 ? "" : new String(line, 0, length, StandardCharsets.UTF_8).trim();
        } catch (IOException ended) {
            return "";
        }
    }

    /** The known facts of a thread. */
    private static final class Known {
        /** Null if it is not the JVM's. */
        JvmThreadKind kind;

        boolean isNamed;
        long cpuNs;
        private String lastName;

        /** A thread that starts has its parent's name at first, so a name counts that it has twice, or that is the JVM's. */
        void name(String name) {
            kind = JvmThreadKind.of(name).orElse(null);
            isNamed = kind != null || name.equals(lastName);
            lastName = name;
        }
    }
}
