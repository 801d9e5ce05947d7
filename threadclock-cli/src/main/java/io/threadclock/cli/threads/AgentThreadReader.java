// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import io.threadclock.cli.attach.SourceNames;
import io.threadclock.cli.process.Bounds;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Reads the threads of a JVM through the agent that is attached to it. This is exact, and cheap for the JVM. How they
 * wait for CPUs is read from {@code /proc}.
 */
public final class AgentThreadReader implements ThreadReader {
    private static final int COMM_BYTES = 16;
    private static final int CARRIER = 1; // of enum tclk_reply_name_flag
    private static final int POOL_NAME_BYTES = 64;
    private static final Duration MOST_STALE = Duration.ofDays(1); // while this program was stopped

    private final AgentSocket socket;
    private final Runnable end;
    private final JvmRequests jvm;
    private final ThreadNames names;
    private final SchedStats waits;
    private long named;
    private long periodNs;

    /** @param end what is done when this is closed */
    AgentThreadReader(AgentSocket socket, Runnable end, JvmRequests jvm) {
        this.socket = socket;
        this.end = end;
        this.jvm = jvm;
        this.names = new ThreadNames(jvm);
        this.waits = new SchedStats(jvm::schedStat);
    }

    /**
     * Reads from an agent that has been told to serve snapshots.
     *
     * @param channel connected to it, not blocking; closed with this, or at once if this cannot be made
     * @param end what is done when this is closed
     * @param jvm the JVM of the agent
     */
    public static AgentThreadReader connect(SocketChannel channel, Runnable end, JvmRequests jvm, Duration timeout)
            throws IOException {
        return new AgentThreadReader(AgentSocket.of(channel, timeout), end, jvm);
    }

    @Override
    public String coarseness() {
        return "";
    }

    @Override
    public long periodNs() {
        return periodNs;
    }

    @Override
    public Snapshot snapshot() {
        return snapshot(reply());
    }

    /** Asks for no names, which may take the JVM's list of stacks. */
    @Override
    public String source() {
        return understood(() -> Head.read(reply()).sourceName());
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
        Head head = Head.read(reply);
        require(head.timesCount <= Bounds.VIEW_THREADS && head.threads >= 0 && head.poolsCount <= Bounds.VIEW_POOLS);
        int timesBytes = Math.multiplyExact(head.timesCount, Times.BYTES);
        ByteBuffer times = reply.slice(reply.position(), timesBytes).order(reply.order());
        reply.position(reply.position() + timesBytes);
        for (int i = 0; i < head.namesCount; i++) {
            readName(reply);
        }
        List<VirtualPool> pools = new ArrayList<>();
        for (int i = 0; i < head.poolsCount; i++) {
            pools.add(readPool(reply));
        }
        names.update();
        named = head.named;
        periodNs = head.periodNs;
        return snapshot(head, times, pools);
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
        long number = reply.getLong();
        require(number >= 0);
        return number;
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

    private Snapshot snapshot(Head head, ByteBuffer times, List<VirtualPool> pools) {
        List<ThreadSnapshot> threads = new ArrayList<>(head.timesCount);
        Set<Integer> tids = new HashSet<>();
        for (int i = 0; i < head.timesCount; i++) {
            Times its = Times.read(times);
            tids.add(its.tid);
            long readNs = head.takenNs - TimeUnit.MICROSECONDS.toNanos(its.ageUs);
            threads.add(names.snapshot(its.tid, head.ownTid, its.cpuNs, its.userNs, readNs));
        }
        names.retain(tids);
        return new Snapshot(
                head.takenNs,
                wall(head.wallNs),
                head.process,
                waits.addedTo(threads),
                head.threads,
                head.sourceName(),
                head.ownCpuNs,
                pools);
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

    private record Times(int tid, long ageUs, long cpuNs, long userNs) {
        static final int BYTES = 24;

        static Times read(ByteBuffer from) {
            return new Times(tidOf(from), Integer.toUnsignedLong(from.getInt()), natural(from), natural(from));
        }
    }

    private record Head(
            int ownTid,
            int source,
            int timesCount,
            int namesCount,
            int threads,
            int poolsCount,
            long named,
            long takenNs,
            long wallNs,
            ProcessSnapshot process,
            long ownCpuNs,
            long periodNs) {
        String sourceName() {
            return SourceNames.ALL.get(source);
        }

        static Head read(ByteBuffer from) {
            from.position(3 * Integer.BYTES); // magic, length, pid
            int ownTid = from.getInt();
            from.getInt(); // flags
            int source = from.getInt();
            int timesCount = from.getInt();
            int namesCount = from.getInt();
            int threads = from.getInt();
            int poolsCount = from.getInt();
            long named = from.getLong();
            long takenNs = natural(from);
            long wallNs = natural(from);
            long processNs = natural(from);
            ProcessSnapshot process = new ProcessSnapshot(natural(from), natural(from), processNs);
            long ownCpuNs = natural(from);
            long periodNs = natural(from);
            return new Head(
                    ownTid,
                    source,
                    timesCount,
                    namesCount,
                    threads,
                    poolsCount,
                    named,
                    takenNs,
                    wallNs,
                    process,
                    ownCpuNs,
                    periodNs);
        }
    }
}
