// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Finds the JVMs of this machine that the user may read, again and again. To see whether a process is one takes much
 * longer than to see its name: one that is none some time after its last exec is not looked at again until it has another
 * name. Only one thread may use it.
 */
public final class JvmFinder {
    private static final long SETTLED_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int MOST = 1000;
    private static final int STAT_START_TIME = 19; // of the fields after the name, counted from 0

    private final Proc proc;
    private final boolean isFromOutside;
    private Map<Integer, Seen> seen = Map.of();

    /** @param isFromOutside whether those count that may be read from outside alone */
    public JvmFinder(Proc proc, boolean isFromOutside) {
        this.proc = proc;
        this.isFromOutside = isFromOutside;
    }

    /**
     * A process.
     *
     * @param identity its name and start
     * @param sinceNs when it was first seen with them
     */
    private record Seen(String identity, long sinceNs, boolean isJvm) {}

    /**
     * The pids of the JVMs, of at most a thousand.
     *
     * @param nowNs as {@link System#nanoTime()}
     */
    public List<Integer> find(long nowNs) {
        Map<Integer, Seen> now = new HashMap<>();
        for (int pid : proc.pids()) {
            ProcessFiles process = proc.anyOf(pid);
            process.text("stat")
                    .map(JvmFinder::identity)
                    .ifPresent(identity -> now.put(pid, look(process, seen.get(pid), identity, nowNs)));
        }
        now.remove((int) ProcessHandle.current().pid());
        seen = now;
        return now.entrySet().stream()
                .filter(process -> process.getValue().isJvm)
                .map(Map.Entry::getKey)
                .sorted()
                .limit(MOST)
                .toList();
    }

    private Seen look(ProcessFiles process, Seen before, String identity, long nowNs) {
        boolean isSame = before != null && before.identity.equals(identity);
        if (isSame && (before.isJvm || nowNs - before.sinceNs > SETTLED_NS)) {
            return before;
        }
        return new Seen(identity, isSame ? before.sinceNs : nowNs, JvmList.isOne(process, isFromOutside));
    }

    /** The line without the figures that change, see proc_pid_stat(5). */
    private static String identity(String stat) {
        int end = stat.lastIndexOf(')');
        String[] fields = stat.substring(end + 1).strip().split(" ");
        return stat.substring(0, end + 1) + (fields.length > STAT_START_TIME ? fields[STAT_START_TIME] : "");
    }
}
