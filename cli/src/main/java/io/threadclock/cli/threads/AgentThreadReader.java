// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import static java.util.stream.Collectors.toMap;

import io.threadclock.cli.attach.SourceNames;
import io.threadclock.cli.process.Bounds;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads the threads of a JVM through the agent that is attached to it. This is exact, and cheap for the JVM. How they
 * wait for CPUs is read from {@code /proc}.
 */
public final class AgentThreadReader implements ThreadReader {
    // Where the fields of the head are.
    private static final int OWN_TID = 12;
    private static final int SOURCE = 20;
    private static final int TIMES_COUNT = 24;
    private static final int NAMES_COUNT = 28;
    private static final int THREADS = 32;
    private static final int POOLS_COUNT = 36;
    private static final int NAMED = 40;
    private static final int TAKEN_NS = 48;
    private static final int WALL_NS = 56;
    private static final int PROCESS_NS = 64;
    private static final int PROCESS_CPU_NS = 72;
    private static final int PROCESS_USER_NS = 80;
    private static final int OWN_CPU_NS = 88;
    private static final int PERIOD_NS = 96;
    private static final int HEAD_BYTES = 104;

    private static final int TIMES_BYTES = 24;
    private static final int COMM_BYTES = 16;
    private static final int CARRIER = 1; // of enum tclk_reply_name_flag
    private static final int POOL_NAME_BYTES = 64;
    private static final Duration MOST_STALE = Duration.ofDays(1); // while this program was stopped

    private final AgentSocket socket;
    private final Runnable end;
    private final JvmRequests jvm;
    private final ThreadNames names;
    private long named;
    private long periodNs;
    /** The last snapshot of each tid. */
    private Map<Integer, ThreadSnapshot> told = Map.of();

    /**
     * Reads from an agent that has been told to serve snapshots.
     *
     * @param end what is done when this is closed
     * @param jvm the JVM of the agent
     */
    public AgentThreadReader(AgentSocket socket, Runnable end, JvmRequests jvm) {
        this.socket = socket;
        this.end = end;
        this.jvm = jvm;
        this.names = new ThreadNames(jvm);
    }

    @Override
    public long periodNs() {
        return periodNs;
    }

    @Override
    public Snapshot snapshot() {
        return snapshot(reply());
    }

    /** The source of the times. This asks for no names, which may take the JVM's list of stacks. */
    public String source() {
        return understood(() -> sourceName(reply()));
    }

    Snapshot snapshot(ByteBuffer reply) {
        return understood(() -> read(reply));
    }

    /** @throws ProcessEnded if it is not a reply of an agent of this version */
    private static <T> T understood(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IndexOutOfBoundsException
                | IllegalArgumentException
                | BufferUnderflowException
                | ArithmeticException wrong) {
            throw new ProcessEnded(AgentSocket.NO_AGENT);
        }
    }

    /** The lengths in the reply cannot be trusted. */
    private Snapshot read(ByteBuffer reply) {
        int timesCount = reply.getInt(TIMES_COUNT);
        int poolsCount = reply.getInt(POOLS_COUNT);
        require(timesCount <= Bounds.VIEW_THREADS && reply.getInt(THREADS) >= 0 && poolsCount <= Bounds.VIEW_POOLS);
        int timesBytes = Math.multiplyExact(timesCount, TIMES_BYTES);
        ByteBuffer times = reply.slice(HEAD_BYTES, timesBytes).order(reply.order());
        reply.position(HEAD_BYTES + timesBytes);
        for (int i = 0; i < reply.getInt(NAMES_COUNT); i++) {
            readName(reply);
        }
        List<VirtualPool> pools = new ArrayList<>();
        for (int i = 0; i < poolsCount; i++) {
            pools.add(readPool(reply));
        }
        names.update();
        named = reply.getLong(NAMED);
        periodNs = natural(reply, PERIOD_NS);
        return snapshot(reply, times, pools);
    }

    @Override
    public Map<Integer, List<String>> stacks(Set<Integer> tids) {
        return ThreadDump.stacks(jvm.stacks(), tids);
    }

    private ByteBuffer reply() {
        try {
            return socket.exchange(named);
        } catch (ProcessEnded hungUp) {
            throw jvm.hasEnded() ? new ProcessEnded("it has ended") : hungUp;
        }
    }

    /** @throws IllegalArgumentException if it is not so: what answers is no agent, and may send anything */
    private static void require(boolean isSo) {
        if (!isSo) {
            throw new IllegalArgumentException("no agent sends that");
        }
    }

    private static int tidOf(ByteBuffer reply) {
        int tid = reply.getInt();
        require(tid > 0 && tid <= Bounds.HIGHEST_TID);
        return tid;
    }

    /** A time, or a count. */
    private static long natural(ByteBuffer reply) {
        long number = natural(reply, reply.position());
        reply.position(reply.position() + Long.BYTES);
        return number;
    }

    private static long natural(ByteBuffer reply, int at) {
        require(reply.getLong(at) >= 0);
        return reply.getLong(at);
    }

    private void readName(ByteBuffer reply) {
        int tid = tidOf(reply);
        boolean carries = (reply.getInt() & CARRIER) != 0;
        long javaId = natural(reply);
        long startNs = natural(reply);
        names.tell(tid, startNs, javaId, carries, text(reply, COMM_BYTES, StandardCharsets.ISO_8859_1));
    }

    private static VirtualPool readPool(ByteBuffer reply) {
        int number = reply.getInt();
        require(number >= 0 && number < Bounds.VIEW_POOLS);
        VirtualPool.Kind kind = VirtualPool.Kind.values()[reply.getInt()];
        long cpuNs = natural(reply);
        long userNs = natural(reply);
        long mounts = natural(reply);
        reply.getLong(); // threads that have begun
        int threads = Math.toIntExact(natural(reply));
        String name = text(reply, POOL_NAME_BYTES, StandardCharsets.UTF_8);
        return new VirtualPool(number, kind, name.isEmpty() ? kind.label() : name, cpuNs, userNs, mounts, threads);
    }

    /** Reads a text that is padded with zeroes. */
    private static String text(ByteBuffer reply, int size, Charset charset) {
        byte[] bytes = new byte[size];
        reply.get(bytes);
        return new String(bytes, charset).replaceFirst("(?s)\0.*", "");
    }

    private Snapshot snapshot(ByteBuffer head, ByteBuffer times, List<VirtualPool> pools) {
        long takenNs = natural(head, TAKEN_NS);
        List<ThreadSnapshot> threads = new ArrayList<>();
        while (times.hasRemaining()) {
            threads.add(withWaits(readTimes(times, takenNs, head.getInt(OWN_TID))));
        }
        told = threads.stream().collect(toMap(ThreadSnapshot::tid, Function.identity(), (one, again) -> again));
        names.retain(told.keySet());
        return new Snapshot(
                takenNs,
                wall(natural(head, WALL_NS)),
                new ProcessSnapshot(
                        natural(head, PROCESS_CPU_NS), natural(head, PROCESS_USER_NS), natural(head, PROCESS_NS)),
                threads,
                head.getInt(THREADS),
                sourceName(head),
                natural(head, OWN_CPU_NS),
                pools);
    }

    private ThreadSnapshot readTimes(ByteBuffer times, long takenNs, int agentTid) {
        int tid = tidOf(times);
        long readNs = takenNs - TimeUnit.MICROSECONDS.toNanos(Integer.toUnsignedLong(times.getInt()));
        return names.snapshot(tid, agentTid, natural(times), natural(times), readNs);
    }

    /**
     * How the thread has waited takes a file to read. If it has not run since, that has not moved: the kernel counts a
     * wait when it switches the thread in.
     */
    private ThreadSnapshot withWaits(ThreadSnapshot thread) {
        ThreadSnapshot before = told.get(thread.tid());
        boolean hasRun = before == null || !before.isSameThread(thread) || before.cpuNs() != thread.cpuNs();
        return thread.withSched(hasRun ? jvm.schedStat(thread.tid()).orElse(null) : before.sched());
    }

    private static String sourceName(ByteBuffer head) {
        return SourceNames.ALL.get(head.getInt(SOURCE));
    }

    /** The time of day there, which is the machine's: not one that a process makes up, as libfaketime does. */
    private static Instant wall(long wallNs) {
        Instant its = Instant.ofEpochSecond(0, wallNs);
        Instant now = Instant.now();
        return Duration.between(its, now).abs().compareTo(MOST_STALE) > 0 ? now : its;
    }

    @Override
    public void close() {
        socket.close();
        names.close();
        end.run();
    }
}
