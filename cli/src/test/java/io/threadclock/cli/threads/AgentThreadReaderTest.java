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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests against a fake agent, which answers as a test wants. */
class AgentThreadReaderTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final int REQUEST_BYTES = 16;
    private static final int OVERFLOWS_TO_8 = 178_956_971; // times 24
    private static final int START_NS = 104 + 24 + 16; // of the first name

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
                    if (!reply.hasRemaining()) { // hangs up
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
        reply.putLong(5).putLong(1_000_000).putLong(2_000_000).putLong(900_000);
        reply.putLong(70).putLong(60).putLong(3).putLong(11);
        reply.putInt(7).putInt(100).putLong(cpuNs).putLong(cpuNs / 2);
        if (!name.isEmpty()) {
            reply.putInt(7).putInt(0).putLong(12).putLong(123);
            reply.put(Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), 15)).put((byte) 0);
        }
        reply.putInt(4, reply.position());
        return reply.flip();
    }

    private AgentThreadReader reader(Duration timeout) throws IOException {
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        channel.configureBlocking(false);
        return new AgentThreadReader(new AgentSocket(channel, timeout), () -> {}, new MadeUp.Jvm(""));
    }

    /** Reads replies that have come. */
    private static AgentThreadReader withoutSocket(String stacks) {
        return new AgentThreadReader(null, () -> {}, new MadeUp.Jvm(stacks));
    }

    @Test
    void tellsTimesNamesAndTheProcess() {
        AgentThreadReader reader = withoutSocket("");
        Snapshot snapshot = reader.snapshot(reply(10, "worker"));
        assertThat(snapshot.threads())
                .containsExactly(new ThreadSnapshot(7, 123, 12, "worker", ThreadKind.JAVA, 10, 5, 900_000)
                        .withSched(new SchedStat(10, 2, 1)));
        assertThat(snapshot.process()).isEqualTo(new ProcessSnapshot(70, 60, 900_000));
        assertThat(snapshot.source()).isEqualTo("rseq");
        assertThat(snapshot.ownCpuNs()).isEqualTo(3);
        assertThat(reader.periodNs()).isEqualTo(11);
        assertThat(snapshot.isComplete()).isTrue();
    }

    /** The last one is another thread of the tid. */
    @Test
    void waitsOfThreadsThatHaveRunSinceAreReadAgain() {
        AgentThreadReader reader = withoutSocket("");
        ByteBuffer another = reply(11, "worker").putLong(START_NS, 124);
        assertThat(Stream.of(reply(10, "worker"), reply(10, ""), reply(11, ""), another)
                        .map(reply -> reader.snapshot(reply).threads().get(0).sched()))
                .extracting(SchedStat::timeslices)
                .containsExactly(1L, 1L, 2L, 3L);
    }

    @Test
    void tellsTheSourceAloneAndNoneThatThereIsNot() throws IOException {
        try (AgentThreadReader reader = reader(TIMEOUT)) {
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
        try (AgentThreadReader reader = reader(TIMEOUT)) {
            reader.snapshot();
            assertThat(reader.snapshot().threads().get(0).name()).isEqualTo("worker");
            assertThat(known).containsExactly(0L, 5L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker-of-a-long-name", "обработчик-1"})
    void wholeNamesAreAwaitedFromTheStacks(String whole) throws Exception {
        AgentThreadReader reader = withoutSocket("\"" + whole + "\" #12 prio=5 tid=0x1 nid=7 runnable\n");
        assertThat(reader.snapshot(reply(0, whole)).threads().get(0).isNameAwaited())
                .isTrue();
        String name = "";
        long endNs = System.nanoTime() + TIMEOUT.toNanos();
        for (int i = 1; System.nanoTime() - endNs < 0 && !name.equals(whole); i++) {
            name = reader.snapshot(reply(i, whole)).threads().get(0).name();
            Thread.sleep(1); // a thread of its own requests the stacks
        }
        assertThat(name).isEqualTo(whole);
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker", "работа"})
    void aTidThatIsAnotherThreadsByNowKeepsItsOwnName(String name) throws Exception {
        AgentThreadReader reader = withoutSocket("\"somebody else\" #12 prio=5 tid=0x1 nid=7 runnable\n");
        for (int i = 0; i < 20; i++) {
            assertThat(reader.snapshot(reply(i, name)).threads().get(0).name()).isEqualTo(name);
            Thread.sleep(1);
        }
    }

    @Test
    void silenceIsNoEnd() throws IOException {
        try (AgentThreadReader reader = reader(SHORT)) {
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

    @ParameterizedTest
    @CsvSource({"'', has hung up", "HTTP/1.1 400 Bad Request, no agent of this version"})
    void hangingUpOrAnAnswerThatIsNoneIsTheEnd(String answer, String why) throws IOException {
        replies.add(ByteBuffer.wrap(answer.getBytes(StandardCharsets.US_ASCII)));
        try (AgentThreadReader reader = reader(TIMEOUT)) {
            assertThatThrownBy(reader::snapshot)
                    .isInstanceOf(ProcessEnded.class)
                    .hasMessageContaining(why);
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
        try (AgentThreadReader reader = reader(SHORT)) {
            replies.add(claim.rewind());
            long before = threads.getCurrentThreadAllocatedBytes();
            assertThatThrownBy(reader::snapshot).isInstanceOf(ProcessSilent.class);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
        }
    }

    @Test
    void moreThanAnAgentHasIsTheEnd() {
        AgentThreadReader reader = withoutSocket("");
        assertThat(reader.snapshot(replyOfPool(Bounds.VIEW_POOLS - 1)).virtualPools())
                .hasSize(1);
        assertThatThrownBy(() -> reader.snapshot(replyOfPool(Bounds.VIEW_POOLS)))
                .isInstanceOf(ProcessEnded.class);
    }

    private static ByteBuffer replyOfPool(int number) {
        ByteBuffer reply = reply(10, "").limit(1024).position(128);
        reply.putInt(number).putInt(2).position(128 + 112).flip();
        return reply.putInt(4, reply.limit()).putInt(36, 1);
    }

    /** Every field except its magic number and length, which {@link AgentSocket} checks. */
    @Test
    void anAnswerThatLiesAboutItselfIsAnAnswerOrTheEnd() {
        int head = 104;
        AgentThreadReader reader = withoutSocket("");
        for (int at = 8; at < head; at += Integer.BYTES) {
            for (int lie : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 20, OVERFLOWS_TO_8}) {
                try {
                    Snapshot snapshot = reader.snapshot(reply(10, "worker").putInt(at, lie));
                    assertThat(snapshot.threads()).hasSizeLessThanOrEqualTo(1);
                    assertThat(Duration.between(snapshot.wall(), Instant.now()).toDays())
                            .isZero();
                    assertThat(List.of(snapshot.takenNs(), snapshot.process().cpuNs(), snapshot.ownCpuNs()))
                            .allMatch(ns -> ns >= 0);
                } catch (ProcessEnded end) {
                    assertThat(end).hasMessageContaining("no agent of this version");
                }
            }
        }
    }
}
