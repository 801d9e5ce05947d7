// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.cli.process.OpenFolder;
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
import org.junit.jupiter.api.io.TempDir;

/** Tests against a peer that answers as a test wants, and has the root directory of a process. */
class AttachSocketTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final int NOBODY = 65534;
    /** No process has this pid, so SIGQUIT goes to nobody. */
    private static final int PID = Integer.MAX_VALUE;

    @TempDir
    Path root;

    private Path tmp;
    private int uid;
    private ServerSocketChannel server;

    @BeforeEach
    void makeTmp() throws IOException {
        tmp = Files.createDirectory(root.resolve("tmp"));
        uid = (Integer) Files.getAttribute(root, "unix:uid");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    @AfterEach
    void hangUp() throws IOException {
        server.close();
    }

    private AttachSocket socket() throws IOException {
        return new AttachSocket(OpenFolder.of(root, Path.of("tmp")), PID, 9, uid);
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
        try (AttachSocket socket = socket()) {
            return socket.answer(TIMEOUT, "properties");
        }
    }

    @Test
    void theJvmAnswersInItsOwnTmp() throws IOException {
        listen(tmp.resolve(".java_pid9"), "0\nmore\n", 2);
        assertThat(asked()).isEqualTo("0\nmore\n0\nmore\n");
    }

    @Test
    void aLinkInPlaceOfTheSocketIsNotFollowed() throws IOException {
        listen(root.resolve("elsewhere"), "0\n", 1);
        Files.createSymbolicLink(tmp.resolve(".java_pid9"), root.resolve("elsewhere"));
        assertThatThrownBy(this::asked).hasMessage(tmp + "/.java_pid9 in it is no socket");
    }

    @Test
    void aLinkInPlaceOfTmpIsNotFollowed() throws IOException {
        Path elsewhere = Files.move(tmp, root.resolve("elsewhere"));
        listen(elsewhere.resolve(".java_pid9"), "0\n", 1);
        Files.createSymbolicLink(tmp, elsewhere);
        assertThatThrownBy(this::asked).hasMessage("tmp in it is no folder");
    }

    @Test
    void aFileOfAnotherUserIsRefused() throws IOException {
        Assumptions.assumeTrue(uid == 0, "this is not root, who gives files away");
        listen(tmp.resolve(".java_pid9"), "0\n", 1);
        Files.setAttribute(tmp.resolve(".java_pid9"), "unix:uid", NOBODY);
        assertThatThrownBy(this::asked).hasMessage(tmp + "/.java_pid9 in it is user 65534's");
    }

    @Test
    void anotherUserWhoListensIsRefusedWhoseverTheFileIs() throws IOException {
        Assumptions.assumeTrue(uid == 0, "this is not root, who gives files away");
        listen(tmp.resolve(".java_pid9"), "0\n", 1);
        Files.setAttribute(tmp.resolve(".java_pid9"), "unix:uid", NOBODY);
        uid = NOBODY;
        assertThatThrownBy(this::asked).hasMessage(tmp + "/.java_pid9 in it is user root's");
    }

    @Test
    void anAnswerThatDoesNotEndIsCut() throws IOException {
        listen(tmp.resolve(".java_pid9"), "x".repeat(1 << 20), 1000);
        assertThat(asked()).hasSizeBetween(1 << 25, (1 << 25) + (1 << 16));
    }

    @Test
    void anAnswerIsAwaitedForALimitedTime() throws IOException {
        server.bind(UnixDomainSocketAddress.of(tmp.resolve(".java_pid9")));
        try (AttachSocket socket = socket()) {
            assertThatThrownBy(() -> socket.answer(SHORT, "properties")).hasMessageContaining("has not ended within");
        }
    }

    @Test
    void aPlaceInAFullQueueIsAwaitedForALimitedTime() throws IOException {
        server.bind(UnixDomainSocketAddress.of(tmp.resolve(".java_pid9")), 1);
        try (AttachSocket socket = socket()) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> socket.answer(SHORT, "properties")).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void theTriggerIsMadeInPlaceOfNoLinkAndOnlyTheOwnOneIsTakenAway() throws IOException {
        Path link = Files.createSymbolicLink(tmp.resolve(".attach_pid9"), root.resolve("made by us"));
        try (AttachSocket socket = socket()) {
            assertThat(socket.awaitListener(SHORT.toMillis())).isFalse();
        }
        assertThat(root.resolve("made by us")).doesNotExist();
        assertThat(link).isSymbolicLink();
    }

    @Test
    void theTriggerIsTakenAway() throws IOException {
        try (AttachSocket socket = socket()) {
            assertThat(socket.awaitListener(SHORT.toMillis())).isFalse();
        }
        assertThat(tmp).isEmptyDirectory();
    }
}
