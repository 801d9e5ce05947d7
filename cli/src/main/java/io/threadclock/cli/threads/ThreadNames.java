// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import io.threadclock.JvmThreadKind;
import io.threadclock.cli.attach.AttachSocket;
import io.threadclock.cli.process.Bounds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The names and kinds of the threads of a JVM. The kernel keeps 15 bytes of a name. The whole name is in the JVM's list
 * of stacks, for which the program has to stop. Therefore that list is requested at most every ten seconds, and not at
 * all if there are very many threads. The agent knows some carriers, and the others have the same name but for its last
 * number. This is no {@link io.threadclock.PoolName}, in which all of a program's fork-join pools are one.
 */
final class ThreadNames {
    private static final int MOST_THREADS = 2000;
    private static final Duration DUMP_REST = Duration.ofSeconds(10);
    private static final Duration FIND_REST = Duration.ofSeconds(1);
    private static final String FIRST_COMM = "java";
    private static final int LONGEST_COMM = 15; // bytes

    /**
     * The facts that the names of a thread tell. They are found out once, because for thousands of threads this takes
     * as long as the rest of a snapshot.
     */
    private record Known(
            long startNs,
            long javaId,
            boolean carries,
            String comm,
            String whole,
            String name,
            String unnumbered,
            ThreadKind ownKind) {
        static final Known NOBODY = new Known(0, 0, false, "", "");

        Known(long startNs, long javaId, boolean carries, String comm, String whole) {
            this(
                    startNs,
                    javaId,
                    carries,
                    comm,
                    whole,
                    nameOf(comm, whole),
                    unnumbered(comm, whole),
                    ThreadKind.of(nameOf(comm, whole), javaId != 0));
        }

        private static String nameOf(String comm, String whole) {
            return whole.isEmpty()
                    ? new String(comm.getBytes(StandardCharsets.ISO_8859_1), AttachSocket.OF_JVMS)
                    : whole;
        }

        /** A name that was cut has lost its number, or ends in another one. */
        private static String unnumbered(String comm, String whole) {
            boolean isCut = comm.length() >= LONGEST_COMM;
            return isCut && whole.isEmpty() ? comm : withoutNumber(isCut ? whole : comm);
        }

        private static String withoutNumber(String name) {
            int end = name.length();
            while (end > 0 && Character.isDigit(name.charAt(end - 1))) {
                end--;
            }
            return name.substring(0, end);
        }
    }

    private final Map<Integer, Known> known = new HashMap<>();
    /** The threads for which the list of stacks was requested, while it is on its way, and after it has come. */
    private Set<Integer> asked = Set.of();

    private final Set<Integer> answered = new HashSet<>();
    private final Set<String> carrierPools = new HashSet<>();
    private final BackgroundTask<ThreadDump> dumping;
    private final BackgroundTask<Boolean> finding;
    private boolean isDumpDue;
    private boolean isFindDue;
    private boolean isFirst = true; // the agent has just looked for carriers
    private boolean mayHaveCarriers = true;

    ThreadNames(JvmRequests jvm) {
        dumping = new BackgroundTask<>(() -> ThreadDump.parse(jvm.stacks()), DUMP_REST);
        finding = new BackgroundTask<>(() -> find(jvm), FIND_REST);
    }

    private static boolean find(JvmRequests jvm) {
        jvm.findCarriers();
        return true;
    }

    /**
     * Reports the kernel's name of a thread that is new, has another name than before, or whose Java id is known now.
     *
     * @param carries whether the agent knows that it carries virtual threads
     * @param comm the kernel's name, a char for each byte
     */
    void tell(int tid, long startNs, long javaId, boolean carries, String comm) {
        Known before = known.get(tid);
        boolean isKnown = before != null && before.startNs == startNs && before.comm.equals(comm);
        Known now = new Known(startNs, javaId, carries, comm, isKnown ? before.whole : "");
        known.put(tid, now);
        if (carries) {
            addCarrierPool(now);
        }
        if (!isKnown) {
            answered.remove(tid);
        }
        isDumpDue |= !isKnown;
        isFindDue |= !isKnown;
    }

    /** Uses the list of stacks that has come, and requests another one if there are unknown threads. */
    void update() {
        finding.result();
        dumping.result().ifPresent(this::take);
        isFindDue &= !isFirst && carrierPools.isEmpty() && mayHaveCarriers;
        isFirst = false;
        if (isFindDue && finding.begin()) {
            isFindDue = false;
        }
        if (isDumpDue && known.size() <= MOST_THREADS && dumping.begin()) {
            isDumpDue = false;
            asked = Set.copyOf(known.keySet());
        }
    }

    private void take(ThreadDump dump) {
        mayHaveCarriers = dump.mayHaveCarriers();
        dump.entries().forEach(this::name);
        answered.addAll(asked);
    }

    /** The kernel's name must match, because the tid may be another thread's by now. */
    private void name(ThreadDump.Entry entry) {
        Known thread = known.get(entry.tid());
        if (thread != null && mayStandFor(thread.comm, entry.name())) {
            long javaId = entry.javaId() == 0 ? thread.javaId : entry.javaId();
            boolean carries = thread.carries || entry.carries();
            Known named = new Known(thread.startNs, javaId, carries, thread.comm, entry.name());
            known.put(entry.tid(), named);
            if (carries) {
                addCarrierPool(named);
            }
        }
    }

    /** Some threads of the same pool are known by the kernel's name only. */
    private void addCarrierPool(Known carrier) {
        if (carrierPools.size() < Bounds.CARRIER_POOLS) {
            carrierPools.add(carrier.unnumbered);
            carrierPools.add(Known.unnumbered(carrier.comm, ""));
        }
    }

    /**
     * JDK 8 does not change the kernel's name of the VM's own threads, and no JDK changes that of the first thread:
     * {@code java}.
     */
    private static boolean mayStandFor(String comm, String name) {
        return JvmThreadKind.isKernelsNameOf(comm, name) || comm.equals(FIRST_COMM);
    }

    /** Ends requests that the JVM has not answered. */
    void close() {
        dumping.close();
        finding.close();
    }

    /** Keeps only threads that still exist. */
    void retain(Set<Integer> tids) {
        known.keySet().retainAll(tids);
        answered.retainAll(tids);
    }

    ThreadSnapshot snapshot(int tid, int agentTid, long cpuNs, long userNs, long readNs) {
        Known thread = known.getOrDefault(tid, Known.NOBODY);
        return new ThreadSnapshot(
                tid,
                thread.startNs,
                thread.javaId,
                thread.name(),
                kind(tid, agentTid, thread),
                cpuNs,
                userNs,
                readNs,
                isAwaited(tid, thread),
                null);
    }

    /** A short name of a Java thread is its whole name, except that of the first thread. */
    private boolean isAwaited(int tid, Known thread) {
        boolean isWhole = thread.javaId != 0 && thread.comm.length() < LONGEST_COMM && !thread.comm.equals(FIRST_COMM);
        return thread.whole.isEmpty() && !isWhole && !answered.contains(tid) && known.size() <= MOST_THREADS;
    }

    private ThreadKind kind(int tid, int agentTid, Known thread) {
        if (tid == agentTid) {
            return ThreadKind.VIEW;
        }
        return carrierPools.contains(thread.unnumbered) ? ThreadKind.CARRIER : thread.ownKind;
    }
}
