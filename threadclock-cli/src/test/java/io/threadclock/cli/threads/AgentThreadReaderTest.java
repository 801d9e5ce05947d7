// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.cli.process.Bounds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests against a fake agent, which answers as a test wants. */
class AgentThreadReaderTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final int REQUEST_BYTES = 16;
    private static final int OVERFLOWS_TO_8 = 178_956_971; // times 24
    private static final ByteBuffer HANG_UP = ByteBuffer.allocate(0);

    @TempDir
    Path directory;

    private final BlockingQueue<ByteBuffer> replies = new LinkedBlockingQueue<>();
    private final List<Long> known = new ArrayList<>();
    private Path socket;
    private ServerSocketChannel server;

    @BeforeEach
    void listen() throws IOException {
        socket = directory.resolve("view");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        Thread agent = new Thread(this::serve, "agent");
        agent.setDaemon(true);
        agent.start();
    }

    @AfterEach
    void hangUp() throws IOException {
        server.close();
    }

    private void serve() {
        try (SocketChannel client = server.accept()) {
            ByteBuffer request = ByteBuffer.allocate(REQUEST_BYTES).order(ByteOrder.nativeOrder());
            while (client.read(request) >= 0) {
                if (!request.hasRemaining()) {
                    known.add(request.getLong(8));
                    ByteBuffer reply = replies.take();
                    if (reply == HANG_UP) {
                        return;
                    }
                    client.write(reply);
                    request.clear();
                }
            }
        } catch (IOException closed) {
            return;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread with tid 7 and this much CPU time, and its name if there is one, of which the kernel keeps 15 bytes. */
    private static ByteBuffer reply(long cpuNs, String name) {
        ByteBuffer reply = ByteBuffer.allocate(1024).order(ByteOrder.nativeOrder());
        reply.putInt(AgentSocket.MAGIC).putInt(0).putInt(7).putInt(99).putInt(0).putInt(1);
        reply.putInt(1).putInt(name.isEmpty() ? 0 : 1).putInt(1).putInt(0);
        reply.putLong(5)
                .putLong(1_000_000)
                .putLong(2_000_000)
                .putLong(900_000)
                .putLong(70)
                .putLong(60)
                .putLong(3)
                .putLong(11);
        reply.putInt(7).putInt(100).putLong(cpuNs).putLong(cpuNs / 2);
        if (!name.isEmpty()) {
            reply.putInt(7).putInt(0).putLong(12).putLong(123);
            reply.put(Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), 15)).put((byte) 0);
        }
        reply.putInt(4, reply.position());
        return reply.flip();
    }

    private static JvmRequests jvm(String stacks, boolean hasEnded) {
        return new JvmRequests() {
            @Override
            public Optional<SchedStat> schedStat(int tid) {
                return Optional.of(new SchedStat(10, 2, tid));
            }

            @Override
            public boolean hasEnded() {
                return hasEnded;
            }

            @Override
            public String stacks() {
                return stacks;
            }

            @Override
            public void findCarriers() {}
        };
    }

    private AgentThreadReader reader(String dump) throws IOException {
        return reader(jvm(dump, false), TIMEOUT);
    }

    private AgentThreadReader reader(JvmRequests jvm, Duration timeout) throws IOException {
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        channel.configureBlocking(false);
        return new AgentThreadReader(AgentSocket.of(channel, timeout), () -> {}, jvm);
    }

    @Test
    void tellsTimesNamesAndTheProcess() throws IOException {
        replies.add(reply(10, "worker"));
        try (AgentThreadReader reader = reader("")) {
            Snapshot snapshot = reader.snapshot();
            assertThat(snapshot.threads())
                    .containsExactly(new ThreadSnapshot(7, 123, 12, "worker", ThreadKind.JAVA, 10, 5, 900_000)
                            .withSched(new SchedStat(10, 2, 7)));
            assertThat(snapshot.process()).isEqualTo(new ProcessSnapshot(70, 60, 900_000));
            assertThat(snapshot.source()).isEqualTo("rseq");
            assertThat(snapshot.ownCpuNs()).isEqualTo(3);
            assertThat(reader.periodNs()).isEqualTo(11);
            assertThat(snapshot.isComplete()).isTrue();
        }
    }

    @Test
    void tellsTheSourceAloneAndNoneThatThereIsNot() throws IOException {
        try (AgentThreadReader reader = reader("")) {
            replies.add(reply(1000, ""));
            assertThat(reader.source()).isEqualTo("rseq");
            replies.add(reply(1000, "").putInt(5 * Integer.BYTES, 99));
            assertThatThrownBy(reader::source).isInstanceOf(ProcessEnded.class);
        }
    }

    @Test
    void remembersNamesAndSaysSo() throws IOException {
        replies.add(reply(10, "worker"));
        replies.add(reply(20, ""));
        try (AgentThreadReader reader = reader("")) {
            reader.snapshot();
            assertThat(reader.snapshot().threads().get(0).name()).isEqualTo("worker");
            assertThat(known).containsExactly(0L, 5L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker-of-a-long-name", "обработчик-1"})
    void wholeNamesAreAwaitedFromTheStacks(String whole) throws Exception {
        try (AgentThreadReader reader = reader("\"" + whole + "\" #12 prio=5 tid=0x1 nid=7 runnable\n")) {
            replies.add(reply(0, whole));
            assertThat(reader.snapshot().threads().get(0).isNameAwaited()).isTrue();
            String name = "";
            long endNs = System.nanoTime() + TIMEOUT.toNanos();
            for (int i = 1; System.nanoTime() - endNs < 0 && !name.equals(whole); i++) {
                replies.add(reply(i, whole));
                name = reader.snapshot().threads().get(0).name();
                Thread.sleep(1); // a thread of its own requests the stacks
            }
            assertThat(name).isEqualTo(whole);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker", "работа"})
    void aTidThatIsAnotherThreadsByNowKeepsItsOwnName(String name) throws Exception {
        try (AgentThreadReader reader = reader("\"somebody else\" #12 prio=5 tid=0x1 nid=7 runnable\n")) {
            for (int i = 0; i < 20; i++) {
                replies.add(reply(i, name));
                assertThat(reader.snapshot().threads().get(0).name()).isEqualTo(name);
                Thread.sleep(1);
            }
        }
    }

    @Test
    void silenceIsNoEnd() throws IOException {
        try (AgentThreadReader reader = reader(jvm("", false), SHORT)) {
            assertThatThrownBy(reader::snapshot).isInstanceOf(ProcessSilent.class);
            replies.add(reply(30, "worker"));
            assertThat(awaited(reader).threads().get(0).cpuNs()).isEqualTo(30);
            assertThat(known).as("asked once").hasSize(1);
        }
    }

    /** On a busy machine it may be silent again. */
    private static Snapshot awaited(AgentThreadReader reader) {
        while (true) {
            try {
                return reader.snapshot();
            } catch (ProcessSilent stillSilent) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void hangingUpIsTheEnd() throws IOException {
        replies.add(HANG_UP);
        try (AgentThreadReader reader = reader("")) {
            assertThatThrownBy(reader::snapshot).isInstanceOf(ProcessEnded.class);
        }
    }

    @Test
    void anAnswerThatIsNoneIsTheEnd() throws IOException {
        replies.add(ByteBuffer.wrap("HTTP/1.1 400 Bad Request".getBytes(StandardCharsets.US_ASCII)));
        try (AgentThreadReader reader = reader("")) {
            assertThatThrownBy(reader::snapshot)
                    .isInstanceOf(ProcessEnded.class)
                    .hasMessageContaining("no agent of this version");
        }
    }

    /** Sixteen bytes claim four megabytes. */
    @Test
    void nothingIsTakenForAnAnswerBeforeItHasCome() throws IOException {
        ByteBuffer claim = ByteBuffer.allocate(16)
                .order(ByteOrder.nativeOrder())
                .putInt(AgentSocket.MAGIC)
                .putInt(Bounds.VIEW_REPLY_BYTES);
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (AgentThreadReader reader = reader(jvm("", false), SHORT)) {
            replies.add(claim.rewind());
            long before = threads.getCurrentThreadAllocatedBytes();
            assertThatThrownBy(reader::snapshot).isInstanceOf(ProcessSilent.class);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
        }
    }

    @Test
    void moreThanAnAgentHasIsTheEnd() throws IOException {
        try (AgentThreadReader reader = reader("")) {
            for (int number : new int[] {255, 256}) {
                ByteBuffer pool = reply(10, "")
                        .limit(1024)
                        .position(128)
                        .putInt(number)
                        .putInt(2)
                        .position(128 + 112);
                replies.add(pool.flip().putInt(4, 128 + 112).putInt(36, 1));
                if (number < Bounds.VIEW_POOLS) {
                    assertThat(reader.snapshot().virtualPools()).hasSize(1);
                } else {
                    assertThatThrownBy(reader::snapshot).isInstanceOf(ProcessEnded.class);
                }
            }
        }
    }

    /** Every field except its magic number and length, which {@link AgentSocket} checks. */
    @Test
    void anAnswerThatLiesAboutItselfIsAnAnswerOrTheEnd() throws IOException {
        int head = 104;
        try (AgentThreadReader reader = reader("")) {
            for (int at = 8; at < head; at += Integer.BYTES) {
                for (int lie : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 20, OVERFLOWS_TO_8}) {
                    replies.add(reply(10, "worker").putInt(at, lie));
                    try {
                        Snapshot snapshot = reader.snapshot();
                        assertThat(snapshot.threads()).hasSizeLessThanOrEqualTo(1);
                        assertThat(Duration.between(snapshot.wall(), Instant.now())
                                        .toDays())
                                .isZero();
                        assertThat(List.of(
                                        snapshot.takenNs(), snapshot.process().cpuNs(), snapshot.ownCpuNs()))
                                .allMatch(ns -> ns >= 0);
                    } catch (ProcessEnded end) {
                        assertThat(end).hasMessageContaining("no agent of this version");
                    }
                }
            }
        }
    }
}
