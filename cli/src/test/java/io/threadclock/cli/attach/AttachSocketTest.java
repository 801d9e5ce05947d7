// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.cli.process.Helper;
import io.threadclock.cli.process.OverFakeProc;
import io.threadclock.cli.process.Proc;
import io.threadclock.cli.process.Target;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests against a peer that answers as a test wants, in the root directory of a process. */
class AttachSocketTest extends OverFakeProc {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final int NOBODY = 65534;

    private ServerSocketChannel server;

    @BeforeEach
    void open() throws IOException {
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    @AfterEach
    void hangUp() throws IOException {
        server.close();
    }

    private static void write(SocketChannel client, String text) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
            client.write(bytes);
        }
    }

    /** Listens there, and gives this answer this many times. */
    private void listen(Path at, String answer, int times) throws IOException {
        server.bind(UnixDomainSocketAddress.of(at));
        Thread jvm = new Thread(() -> {
            try (SocketChannel client = server.accept()) {
                client.read(ByteBuffer.allocate(1000));
                for (int i = 0; i < times; i++) {
                    write(client, answer);
                }
            } catch (IOException hungUp) {
                return;
            }
        });
        jvm.setDaemon(true);
        jvm.start();
    }

    private String asked() throws IOException {
        return asked(TIMEOUT);
    }

    private String asked(Duration timeout) throws IOException {
        return new AttachSocket(fake.self(uid)).answer(timeout, "properties");
    }

    @Test
    void theJvmAnswersInItsOwnTmp() throws IOException {
        listen(tmp.resolve(".java_pid9"), "0\nmore\n", 2);
        assertThat(asked()).isEqualTo("0\nmore\n0\nmore\n");
    }

    @Test
    void aLinkInPlaceOfTheSocketIsNotFollowed() throws IOException {
        listen(mount.resolve("elsewhere"), "0\n", 1);
        Files.createSymbolicLink(tmp.resolve(".java_pid9"), mount.resolve("elsewhere"));
        assertThatThrownBy(this::asked).hasMessage("/tmp/.java_pid9 in it is no socket");
    }

    @Test
    void aLinkInPlaceOfTmpIsNotFollowed() throws IOException {
        Path elsewhere = Files.move(tmp, mount.resolve("elsewhere"));
        listen(elsewhere.resolve(".java_pid9"), "0\n", 1);
        Files.createSymbolicLink(tmp, elsewhere);
        assertThatThrownBy(this::asked).hasMessageContaining("its /tmp is missing, behind a link, or closed");
    }

    @Test
    void aFileOfAnotherUserIsRefused() throws IOException {
        Assumptions.assumeTrue(uid == 0, "this is not root, who gives files away");
        listen(tmp.resolve(".java_pid9"), "0\n", 1);
        Files.setAttribute(tmp.resolve(".java_pid9"), "unix:uid", NOBODY);
        assertThatThrownBy(this::asked).hasMessage("/tmp/.java_pid9 in it is user 65534's");
    }

    @Test
    void anotherUserWhoListensIsRefusedWhoseverTheFileIs() throws IOException {
        Assumptions.assumeTrue(uid == 0, "this is not root, who gives files away");
        listen(tmp.resolve(".java_pid9"), "0\n", 1);
        Files.setAttribute(tmp.resolve(".java_pid9"), "unix:uid", NOBODY);
        uid = NOBODY;
        assertThatThrownBy(this::asked).hasMessage("/tmp/.java_pid9 in it is user 0's");
    }

    /** Two JVMs that share a /tmp, and have the same pid in two pid namespaces, take each other's place. */
    @Test
    void anotherProcessOfThatUserWhichListensIsRefused() throws IOException {
        listen(tmp.resolve(".java_pid9"), "0\n", 1);
        Target its = fake.self(uid);
        Target other = new Target(1, its.files(), its.identity(), its.status(), its.self(), its.proc());
        assertThatThrownBy(() -> new AttachSocket(other).answer(TIMEOUT, "properties"))
                .hasMessageStartingWith("/tmp/.java_pid9 in it is another process's");
    }

    @Test
    void anAnswerThatDoesNotEndIsCut() throws IOException {
        listen(tmp.resolve(".java_pid9"), "x".repeat(1 << 20), 1000);
        assertThat(asked()).hasSizeBetween(1 << 25, (1 << 25) + (1 << 16));
    }

    @Test
    void anAnswerIsAwaitedForALimitedTime() throws IOException {
        server.bind(UnixDomainSocketAddress.of(tmp.resolve(".java_pid9")));
        assertThatThrownBy(() -> asked(SHORT)).isInstanceOf(Helper.Late.class);
    }

    @Test
    void aPlaceInAFullQueueIsAwaitedForALimitedTime() throws IOException {
        server.bind(UnixDomainSocketAddress.of(tmp.resolve(".java_pid9")), 1);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> asked(SHORT)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void theTriggerIsMadeInPlaceOfNoLinkAndOnlyTheOwnOneIsTakenAway() throws IOException {
        Process process = sleeping();
        Target target = Target.of(Proc.SYSTEM, (int) process.pid());
        Path trigger = target.tmp().resolve(target.triggerName());
        try {
            Files.createSymbolicLink(trigger, mount.resolve("made by us"));
            assertThat(new AttachSocket(target).makeListen(SHORT)).isFalse();
            assertThat(mount.resolve("made by us")).doesNotExist();
            assertThat(trigger).isSymbolicLink();
        } finally {
            Files.deleteIfExists(trigger);
            process.destroyForcibly();
        }
    }

    /** A shell has what it starts in the background ignore that signal, as has all that this starts. */
    private static Process sleeping() throws IOException {
        Process process = new ProcessBuilder("env", "--default-signal=QUIT", "sleep", "600").start();
        Path name = Path.of("/proc/" + process.pid() + "/comm");
        while (!Files.readString(name).startsWith("sleep")) {
            Thread.onSpinWait();
        }
        return process;
    }

    @Test
    void theTriggerIsTakenAwayAndTheProcessGotItsSignal() throws Exception {
        Process process = sleeping();
        Target target = Target.of(Proc.SYSTEM, (int) process.pid());
        assertThat(new AttachSocket(target).makeListen(SHORT)).isFalse();
        assertThat(target.tmp().resolve(target.triggerName())).doesNotExist();
        assertThat(process.waitFor()).as("ended by SIGQUIT").isEqualTo(128 + 3);
    }

    /** The highest bit but one of a measurement is set. */
    @Test
    void everyNumberThatAnAgentCanReturnIsOne() {
        for (int code : new int[] {0, -1, 105, 1149243890, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            AttachAnswer answer = AttachSocket.answered("0\nreturn code: " + code + "\n", "", System.nanoTime());
            assertThat(answer.kind()).isEqualTo(AttachAnswer.Kind.RETURNED);
            assertThat(answer.code()).isEqualTo(code);
        }
    }

    @Test
    void whatAJvmAnswersOfItsVersionIsALine() {
        assertThat(AttachSocket.version("0\nOpenJDK 64-Bit Server VM version 25.504-b08\nJDK 8.0_504\n"))
                .isEqualTo("JDK 8.0_504, OpenJDK 64-Bit Server VM");
        assertThat(AttachSocket.version("1\nUnknown diagnostic command\n")).isEqualTo("unknown");
    }

    @Test
    void whatAJvmAnswersIsCut() {
        AttachAnswer answer =
                new AttachAnswer(AttachAnswer.Kind.NOT_LOADED, 0, "x".repeat(100_000), "y".repeat(100_000), 0);
        assertThat(answer.text()).hasSize(1000);
        assertThat(answer.jvm()).hasSize(1000);
    }
}
