// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Finds the JVMs of this machine that the user may read, again and again, except this program's own and those that
 * begin. To see whether a process is one takes much longer than to see its name: one that is none some time after its
 * last exec is not looked at again until it has another name. Only one thread may use it.
 */
public final class JvmFinder {
    private static final long SETTLED_NS = TimeUnit.MINUTES.toNanos(1);
    /** From then on a JVM has what others need to attach to it, or can tell them that it has not. */
    private static final long YOUNGEST_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final String OWN = "io.threadclock.cli.";
    private static final int STAT_START_TIME = 19; // of the fields after the name, counted from 0

    private final Proc proc;
    private final boolean isFromOutside;
    private final Consumer<String> say;
    private final Set<Integer> failed = new HashSet<>();
    private final int ownUid;
    private final long ownStartTicks;
    private final long beginNs;
    private Map<Integer, Seen> seen = Map.of();
    private boolean hasMore;

    /**
     * @param isFromOutside whether those count that may be read from outside alone
     * @param beginNs {@link System#nanoTime()} now
     * @param say is told of processes that are left out, in one line
     */
    public JvmFinder(Proc proc, boolean isFromOutside, long beginNs, Consumer<String> say) {
        this.proc = proc;
        this.isFromOutside = isFromOutside;
        this.beginNs = beginNs;
        this.say = say;
        this.ownUid = proc.ownStatus().uid();
        this.ownStartTicks = proc.self().startTicks().orElse(Long.MAX_VALUE / TICK_NS);
    }

    /**
     * A process.
     *
     * @param identity its name and start
     * @param sinceNs when it was first seen with them
     * @param isYoung whether it may have had them for less than a second
     * @param uid of a JVM
     */
    private record Seen(String identity, long startTicks, long sinceNs, boolean isYoung, boolean isJvm, int uid) {}

    /**
     * The JVMs that a command takes on: their starts, in clock ticks since boot, by their pids; of one user, those that
     * were found first.
     *
     * @param nowNs as {@link System#nanoTime()}
     */
    public Map<Integer, Long> find(long nowNs) {
        lookAtAll(nowNs);
        return admitted(process -> !process.isYoung);
    }

    /** The pids of those that run now, also of those that begin. */
    static Set<Integer> now(Proc proc, boolean isFromOutside, Consumer<String> say) {
        JvmFinder finder = new JvmFinder(proc, isFromOutside, 0, say);
        finder.lookAtAll(0);
        return finder.admitted(process -> true).keySet();
    }

    private void lookAtAll(long nowNs) {
        Map<Integer, Seen> now = new HashMap<>();
        List<Integer> pids = proc.pids();
        failed.retainAll(pids);
        for (int pid : pids) {
            OneOfMany.tried(pid, line -> sayOnce(pid, line), () -> look(pid, nowNs))
                    .flatMap(Function.identity())
                    .ifPresent(process -> now.put(pid, process));
        }
        now.remove((int) ProcessHandle.current().pid());
        seen = now;
    }

    private void sayOnce(int pid, String line) {
        if (failed.add(pid)) {
            say.accept(line);
        }
    }

    private Map<Integer, Long> admitted(Predicate<Seen> isOldEnough) {
        List<Admission.Candidate> jvms = seen.entrySet().stream()
                .filter(process -> process.getValue().isJvm && isOldEnough.test(process.getValue()))
                .sorted(Comparator.<Map.Entry<Integer, Seen>>comparingLong(process -> process.getValue().sinceNs)
                        .thenComparing(Map.Entry::getKey))
                .map(process -> new Admission.Candidate(process.getKey(), process.getValue().uid))
                .toList();
        Admission admission = Admission.of(jvms, ownUid);
        if (!hasMore) {
            admission.tell(say);
        }
        hasMore = admission.more() > 0;
        Map<Integer, Long> starts = new TreeMap<>();
        admission.pids().forEach(pid -> starts.put(pid, seen.get(pid).startTicks));
        return starts;
    }

    /** Empty if it has ended. */
    private Optional<Seen> look(int pid, long nowNs) {
        ProcessFiles process = proc.anyOf(pid);
        return process.text("stat").map(JvmFinder::identity).map(identity -> {
            Seen before = seen.get(pid);
            boolean isSame = before != null && before.identity.equals(identity);
            boolean isKnown = isSame && (before.isJvm || nowNs - before.sinceNs > SETTLED_NS);
            boolean isJvm = isKnown ? before.isJvm : isJvm(process);
            long startTicks = Long.parseLong(identity.substring(identity.lastIndexOf(')') + 1));
            long sinceNs = isSame ? before.sinceNs : nowNs;
            long hasHadNs = before == null ? leastAgeNs(startTicks, nowNs) : nowNs - sinceNs;
            boolean isYoung = hasHadNs < YOUNGEST_NS && !(isSame && !before.isYoung);
            return new Seen(identity, startTicks, sinceNs, isYoung, isJvm, isJvm ? process.uid() : 0);
        });
    }

    /** For other users' processes only the name of the program tells. */
    private boolean isJvm(ProcessFiles process) {
        List<String> words = process.words("cmdline");
        boolean isOne = process.isHotSpot()
                || isFromOutside
                        && process.memoryMap().mappings().isEmpty()
                        && words.stream().limit(1).map(JvmList::lastPart).anyMatch("java"::equals);
        return isOne && words.stream().noneMatch(word -> word.startsWith(OWN));
    }

    /** By what this process has: the time since boot is another one in some containers. */
    private long leastAgeNs(long startTicks, long nowNs) {
        return (ownStartTicks - startTicks) * TICK_NS + nowNs - beginNs;
    }

    /** The line without the figures that change, see proc_pid_stat(5). */
    private static String identity(String stat) {
        int end = stat.lastIndexOf(')');
        String[] fields = stat.substring(end + 1).strip().split(" ");
        return stat.substring(0, end + 1) + (fields.length > STAT_START_TIME ? fields[STAT_START_TIME] : "");
    }

    /**
     * The JVMs that a command takes on where there are too many: all of root's and of its own user, then one of each
     * other user in turn, so that nobody's JVMs hide those of others.
     *
     * @param pids in ascending order
     * @param more how many are left out
     */
    record Admission(List<Integer> pids, int more) {
        /** A JVM, and its user. */
        record Candidate(int pid, int uid) {}

        private record Ranked(int pid, int rank) {}

        /** Says how many are left out, if any. */
        void tell(Consumer<String> say) {
            if (more > 0) {
                say.accept("and " + more + " more JVMs, which are left out: at most " + Bounds.JVMS + " are taken, and "
                        + Bounds.JVMS_OF_ANOTHER_USER + " of a user who is neither root nor this command's");
            }
        }

        /** @param candidates those that come first are preferred among those of one user */
        static Admission of(List<Candidate> candidates, int ownUid) {
            Map<Integer, Integer> counts = new HashMap<>();
            List<Ranked> ranked = new ArrayList<>();
            for (Candidate one : candidates) {
                boolean isPreferred = one.uid == 0 || one.uid == ownUid;
                int rank = isPreferred ? 0 : counts.merge(one.uid, 1, Integer::sum);
                if (rank <= Bounds.JVMS_OF_ANOTHER_USER) {
                    ranked.add(new Ranked(one.pid, rank));
                }
            }
            List<Integer> pids = ranked.stream()
                    .sorted(Comparator.comparingInt(Ranked::rank))
                    .limit(Bounds.JVMS)
                    .map(Ranked::pid)
                    .sorted()
                    .toList();
            return new Admission(pids, candidates.size() - pids.size());
        }
    }
}
