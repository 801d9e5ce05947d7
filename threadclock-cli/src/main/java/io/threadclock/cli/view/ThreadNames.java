// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.view;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Who the threads of a JVM are. The kernel keeps 15 bytes of a name; the whole one is in the JVM's list of stacks, for
 * which the program has to stop: so that is asked for at most every ten seconds, for a hundredth of the time, by a thread
 * of its own, and not at all where there are very many threads.
 */
final class ThreadNames {
    private static final int MOST_THREADS = 2000;
    private static final long REST_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int REST_FACTOR = 100;
    private static final String OF_VIRTUAL_THREADS = "VirtualThread-un"; // unparker, unblocker
    private static final int MOST_CARRIER_TRIES = 6;

    /** @param kind found out once: of thousands of threads it takes as long as all else that is done for a look */
    private record Known(long startNs, long javaId, String comm, String whole, boolean isCarrier, ThreadKind kind) {
        Known(long startNs, long javaId, String comm, String whole, boolean isCarrier) {
            this(startNs, javaId, comm, whole, isCarrier, kind(javaId, whole.isEmpty() ? comm : whole, isCarrier));
        }

        private static ThreadKind kind(long javaId, String name, boolean isCarrier) {
            return isCarrier ? ThreadKind.CARRIER : ThreadKind.of(name, javaId != 0);
        }

        String name() {
            return whole.isEmpty() ? comm : whole;
        }
    }

    private static final Known NOT_TOLD = new Known(0, 0, "", "", false);

    private record Answer(List<ThreadDump.Entry> entries, long elapsedNs) {}

    private final Map<Integer, Known> known = new HashMap<>();
    private final Supplier<String> dump;
    private CompletableFuture<Answer> asked;
    private boolean isDue;
    private int carrierTries;
    private volatile long carrierJavaId;
    private long restsUntilNs = System.nanoTime();

    /** @param dump the list of stacks, empty if there is none; it may take long */
    ThreadNames(Supplier<String> dump) {
        this.dump = dump;
    }

    /** The kernel's name of a thread, which is new or has another name than before. */
    void tell(int tid, long startNs, long javaId, String comm) {
        Known before = known.get(tid);
        boolean isKnown = before != null && before.startNs == startNs && before.comm.equals(comm);
        known.put(tid, new Known(startNs, javaId, comm, isKnown ? before.whole : "", isKnown && before.isCarrier));
        isDue |= !isKnown;
    }

    /**
     * Takes what has come, and asks for more if there are names that are not known.
     *
     * @param nextCarrierJavaId see {@link ThreadDump#parse}
     */
    void update(long nextCarrierJavaId) {
        carrierJavaId = nextCarrierJavaId;
        if (asked != null && asked.isDone()) {
            take(asked);
            asked = null;
        }
        if (isDue && asked == null && known.size() <= MOST_THREADS && System.nanoTime() - restsUntilNs >= 0) {
            isDue = false;
            asked = CompletableFuture.supplyAsync(this::ask, ThreadNames::startDaemon);
        }
    }

    /** Only threads that are there are kept. */
    void retain(Set<Integer> tids) {
        known.keySet().retainAll(tids);
    }

    ThreadLook look(int tid, int viewTid, long cpuNs, long userNs, long readNs) {
        Known thread = known.getOrDefault(tid, NOT_TOLD);
        ThreadKind kind = tid == viewTid ? ThreadKind.VIEW : thread.kind;
        return new ThreadLook(tid, thread.startNs, thread.javaId, thread.name(), kind, cpuNs, userNs, readNs);
    }

    private Answer ask() {
        long beginNs = System.nanoTime();
        return new Answer(ThreadDump.parse(dump.get(), carrierJavaId), System.nanoTime() - beginNs);
    }

    private void take(CompletableFuture<Answer> done) {
        long restNs = REST_NS;
        try {
            Answer answer = done.join();
            answer.entries.forEach(this::name);
            isDue |= mayFindCarriers(answer.entries);
            restNs = Math.max(REST_NS, REST_FACTOR * answer.elapsedNs);
        } catch (CompletionException refused) {
            restNs = REST_FACTOR * REST_NS;
        }
        restsUntilNs = System.nanoTime() + restNs;
    }

    /** Carriers are told while they carry something: where there are virtual threads, another look may find them. */
    private boolean mayFindCarriers(List<ThreadDump.Entry> entries) {
        boolean hasVirtualThreads = entries.stream().anyMatch(entry -> entry.name().startsWith(OF_VIRTUAL_THREADS));
        boolean hasCarriers = entries.stream().anyMatch(ThreadDump.Entry::isCarrier);
        return hasVirtualThreads && !hasCarriers && carrierTries++ < MOST_CARRIER_TRIES;
    }

    /** The kernel's name has to fit: the tid may be another thread's by now. */
    private void name(ThreadDump.Entry entry) {
        Known thread = known.get(entry.tid());
        if (thread != null && mayStandFor(thread.comm, entry.name())) {
            long javaId = entry.javaId() == 0 ? thread.javaId : entry.javaId();
            boolean isCarrier = thread.isCarrier || entry.isCarrier();
            known.put(entry.tid(), new Known(thread.startNs, javaId, thread.comm, entry.name(), isCarrier));
        }
    }

    /** JDK 8 leaves the kernel's name of the VM's own threads, and all that of the first one, as it is: {@code java}. */
    private static boolean mayStandFor(String comm, String name) {
        return KernelName.mayStandFor(comm, name) || comm.equals("java") || !comm.chars().allMatch(c -> c < 128);
    }

    private static void startDaemon(Runnable task) {
        Thread thread = new Thread(task, "names");
        thread.setDaemon(true);
        thread.start();
    }
}
