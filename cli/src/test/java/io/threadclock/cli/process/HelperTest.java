// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The real threadclock-helper, in the root directory of a process that is this program. */
@Timeout(300)
class HelperTest extends OverFakeProc {
    private static final String PREFIX = ".threadclock_";
    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Path TMP = Path.of("/tmp");
    private static final int NOBODY = 65534;

    private Helper start() throws IOException {
        return Helper.start(fake.self(uid));
    }

    private static String read(Target target, Path file) throws IOException {
        try (Helper helper = Helper.start(target)) {
            HelperReply reply =
                    helper.facts(TIMEOUT, List.of(file, file)).get(1).orRefuse();
            return new String(reply.content().orElseThrow(), StandardCharsets.UTF_8);
        }
    }

    private String read(String name) throws IOException {
        return read(fake.self(uid), TMP.resolve(name));
    }

    @Test
    void readsAFile() throws IOException {
        Files.writeString(tmp.resolve("file"), "content");
        assertThat(read("file")).isEqualTo("content");
    }

    @Test
    void itIsReachedThoughThePathOfTheTemporaryDirectoryIsTooLongForASocket() throws IOException {
        String before = System.setProperty("java.io.tmpdir", Files.createDirectory(mount.resolve("x".repeat(99))) + "");
        try {
            readsAFile();
        } finally {
            System.setProperty("java.io.tmpdir", before);
        }
    }

    /** Nobody writes to the pipe, so that opening it would wait for ever. */
    @Test
    void readsNoLinkNoPipeAndNoFolder() throws Exception {
        Files.writeString(mount.resolve("elsewhere"), "secret");
        Files.createSymbolicLink(tmp.resolve("link"), mount.resolve("elsewhere"));
        new ProcessBuilder("mkfifo", tmp.resolve("pipe").toString()).start().waitFor();
        Files.createDirectory(tmp.resolve("folder"));
        for (String name : List.of("link", "pipe", "folder", "missing")) {
            assertThatThrownBy(() -> read(name)).as(name).isInstanceOf(IOException.class);
        }
        Files.createSymbolicLink(fake.file("77/root/var"), fake.file("77/root/tmp"));
        Files.writeString(tmp.resolve("file"), "content");
        for (String folder : List.of("/var", "/tmp/../tmp", "/" + "x".repeat(300), "/gone")) {
            assertThatThrownBy(() -> read(fake.self(uid), Path.of(folder, "file")))
                    .hasMessageContaining("its " + folder + " is missing, behind a link, or closed to its user");
        }
    }

    @Test
    void readsWhatTheProcesssUserMayReadAndIsHisOrRoots() throws IOException {
        Assumptions.assumeTrue(uid == 0, "this is not root, who gives files away");
        for (String name : List.of("roots", "secret", "strangers", "own")) {
            Files.writeString(tmp.resolve(name), name);
        }
        fake.permissions("77/root/tmp/secret", "rw-------");
        Files.setAttribute(tmp.resolve("strangers"), "unix:uid", NOBODY - 1);
        Files.setAttribute(tmp.resolve("own"), "unix:uid", NOBODY);
        uid = NOBODY;
        assertThat(read("roots")).isEqualTo("roots");
        assertThat(read("own")).isEqualTo("own");
        assertThatThrownBy(() -> read("secret")).hasMessageContaining("cannot be opened, Permission denied");
        assertThatThrownBy(() -> read("strangers")).hasMessage("/tmp/strangers in it is user 65533's");
    }

    /** It takes the limits of the process, too. */
    @Test
    void thatTheProcessMayOpenTooFewFilesIsSaid() throws IOException {
        Files.writeString(tmp.resolve("file"), "content");
        Process poor = new ProcessBuilder("sh", "-c", "ulimit -n 2; echo; read line").start();
        poor.inputReader().readLine();
        Target its = fake.self(uid);
        Target target = new Target((int) poor.pid(), its.files(), its.identity(), its.status(), its.self(), its.proc());
        assertThatThrownBy(() -> read(target, TMP.resolve("file")))
                .hasMessage("its /tmp cannot be opened, its limit of open files is too low (prlimit --nofile)");
        poor.destroy();
    }

    private void sweep() throws IOException {
        try (Helper helper = start()) {
            helper.sweep(TIMEOUT, TMP.resolve(PREFIX));
        }
    }

    private static Path old(Path file) throws IOException {
        Files.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(LONG_AGO, null, null);
        return file;
    }

    private static ServerSocketChannel listenAt(Path file) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(file));
    }

    private Path abandoned(String name) throws IOException {
        Path file = tmp.resolve(name);
        listenAt(file).close();
        return file;
    }

    @Test
    void sweepsTheSocketsAtWhichNobodyListens() throws IOException {
        Path file = old(abandoned(PREFIX + 4711));
        Path young = abandoned(PREFIX + 4712);
        Path listening = tmp.resolve(PREFIX + Integer.MAX_VALUE);
        try (ServerSocketChannel listener = listenAt(listening)) {
            old(listening);
            sweep();
            assertThat(listener.isOpen()).isTrue();
        }
        assertThat(file).doesNotExist();
        assertThat(young).as("which may be about to listen").exists();
        assertThat(listening).exists();
    }

    @Test
    void sweepsNothingOfAnotherUser() throws IOException {
        Assumptions.assumeTrue(uid == 0, "this is not root, who may have any other user's rights");
        Path file = old(abandoned(PREFIX + 4711));
        uid = NOBODY;
        sweep();
        assertThat(file).exists();
    }

    @Test
    void sweepsNothingThatIsNoSocketOrHasAnotherNameNorWhatALinkLeadsTo() throws IOException {
        Path plain = old(Files.createFile(tmp.resolve(PREFIX + 1)));
        Path elsewhere = abandoned("elsewhere");
        Path link = Files.createSymbolicLink(tmp.resolve(PREFIX + 2), elsewhere);
        Path named = old(abandoned(PREFIX + "notes"));
        Path longer = old(abandoned(PREFIX + "3x"));
        old(elsewhere);
        old(link);
        sweep();
        assertThat(List.of(plain, elsewhere, named, longer)).allMatch(Files::exists);
        assertThat(link).isSymbolicLink();
    }

    private static SocketChannel viewed(Helper helper) throws IOException {
        return helper.view(TIMEOUT, TMP.resolve("view"));
    }

    /** Sees the end of a view. */
    private void hungUp(ServerSocketChannel server, SocketChannel view, String state) throws IOException {
        try (SocketChannel jvm = server.accept()) {
            fake.write(
                    "77/stat", "77 (java) (x) " + state + " 1 77 77 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 20 0 4711 100\n");
            server.close();
            assertThat(jvm.isOpen()).isTrue();
        }
        view.configureBlocking(true);
        assertThat(view.read(ByteBuffer.allocate(1))).isNegative();
    }

    @ParameterizedTest
    @CsvSource({"Z, false", "S, true"})
    void theSocketOfAProcessThatWasKilledIsRemovedAndThatOfOneThatLivesStays(String state, boolean stays)
            throws IOException {
        ServerSocketChannel server = listenAt(tmp.resolve("view"));
        try (Helper helper = start()) {
            hungUp(server, viewed(helper), state);
        }
        assertThat(Files.exists(tmp.resolve("view"))).isEqualTo(stays);
    }

    /** A command sees by itself that the process has ended. */
    @Test
    void itIsRemovedThoughTheCommandHasHungUpFirst() throws IOException {
        ServerSocketChannel server = listenAt(tmp.resolve("view"));
        Helper helper = start();
        SocketChannel view = viewed(helper);
        fake.write("77/stat", "77 (java) Z 1\n"); // its last thread still has the socket
        view.close();
        server.close();
        helper.close();
        assertThat(tmp.resolve("view")).doesNotExist();
    }

    /** A file system may give the inode of a file that was removed to the next one. */
    @Test
    void anotherFileInItsPlaceStays() throws IOException {
        ServerSocketChannel server = listenAt(tmp.resolve("view"));
        try (Helper helper = start()) {
            SocketChannel view = viewed(helper);
            Files.delete(tmp.resolve("view"));
            Path another = abandoned("view");
            hungUp(server, view, "Z");
            assertThat(another).exists();
        }
    }

    private static ProcessHandle running() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("threadclock-helper"))
                .findFirst()
                .orElseThrow();
    }

    /** Whatever it can do there, it is user 0 here. */
    @Test
    void rootOfAnotherUserNamespaceLendsItNoCapability() throws IOException {
        Assumptions.assumeTrue(uid == 0, "this is not root, whose capabilities are taken away");
        fake.userNamespace("self", "user:[1]").userNamespace("77", "user:[2]");
        ServerSocketChannel server = listenAt(tmp.resolve("view"));
        try (Helper helper = start()) {
            assertThat(Path.of("/proc/" + running().pid() + "/status"))
                    .content()
                    .contains("CapPrm:\t0000000000000000");
            assertThat(viewed(helper).isOpen()).isTrue();
        }
        server.close();
    }

    private static boolean isThere(Helper helper, Duration timeout) throws IOException {
        return helper.facts(timeout, List.of(TMP)).get(0).isDone();
    }

    @Test
    void whoIsStoppedKeepsNobodyWaiting() throws Exception {
        Helper helper = start();
        ProcessHandle process = running();
        new ProcessBuilder("sh", "-c", "kill -STOP " + process.pid()).start().waitFor();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> isThere(helper, TIMEOUT)).isInstanceOf(Helper.Late.class);
        assertThat(Thread.interrupted()).isTrue();
        helper.close();
        assertThat(process.onExit()).succeedsWithin(TIMEOUT);
    }

    private byte[] ask(Helper helper, Duration timeout) throws IOException {
        return helper.ask(timeout, TMP.resolve("view"), ByteBuffer.wrap(new byte[] {'?'}), 1 << 20);
    }

    /** What it says when nobody waits any more is not taken for the answer to the next request. */
    @Test
    void aLateAnswerIsNoOtherRequests() throws IOException {
        try (ServerSocketChannel server = listenAt(tmp.resolve("view"));
                Helper helper = start()) {
            assertThatThrownBy(() -> ask(helper, Duration.ofMillis(1))).isInstanceOf(Helper.Late.class);
            SocketChannel jvm = server.accept();
            assertThat(jvm.read(ByteBuffer.allocate(9))).isOne();
            assertThat(jvm.read(ByteBuffer.allocate(9))).as("it was hung up on").isNegative();
            assertThat(isThere(helper, TIMEOUT)).isTrue();
        }
    }

    /** The view goes on while the process is asked and does not answer. */
    @Test
    void aQuestionThatIsNotAnsweredKeepsNoViewWaiting() throws Exception {
        try (ServerSocketChannel server = listenAt(tmp.resolve("view"));
                Helper helper = start()) {
            SocketChannel view = viewed(helper);
            SocketChannel jvm = server.accept();
            Thread asking = new Thread(() -> assertThatThrownBy(() -> ask(helper, TIMEOUT)));
            asking.start();
            SocketChannel asked = server.accept();
            jvm.write(ByteBuffer.wrap(new byte[] {'!'}));
            view.configureBlocking(true);
            assertThat(view.read(ByteBuffer.allocate(9))).isOne();
            asking.interrupt();
            asking.join();
            assertThat(asked.isOpen()).isTrue();
        }
    }

    private boolean finds(String name) throws IOException {
        try (Helper helper = start()) {
            Map<String, Object> its = Files.readAttributes(tmp.resolve(name), "unix:dev,ino");
            return helper.finds(TIMEOUT, TMP.resolve(name), (Long) its.get("dev"), (Long) its.get("ino"));
        }
    }

    @Test
    void theFileWithThoseNumbersIsFoundIfItsUserMayReadItAndNoLinkLeadsThere() throws IOException {
        Files.writeString(tmp.resolve("file"), "");
        Files.createSymbolicLink(tmp.resolve("link"), Path.of("file"));
        assertThat(finds("file")).isTrue();
        assertThat(finds("link")).isFalse();
        try (Helper helper = start()) {
            assertThat(helper.finds(TIMEOUT, TMP.resolve("file"), 1, 1))
                    .as("another")
                    .isFalse();
        }
        Assumptions.assumeTrue(uid == 0, "this is not root, who gives files away");
        fake.permissions("77/root/tmp/file", "rw-------");
        uid = NOBODY;
        assertThat(finds("file")).isFalse();
    }

    /** What has the target's rights cannot have the other part make files. */
    @Test
    void onlyCopiesAreMadeByTheCommandsOwnUser() throws IOException {
        Assumptions.assumeTrue(uid == 0, "this is not root, who may have any other user's rights");
        fake.permissions("77/root/tmp", "rwxr-xr-x");
        uid = NOBODY;
        try (Helper helper = start()) {
            assertThat(helper.copy(TIMEOUT, TMP.resolve("copy"), new byte[9])).isTrue();
            assertThat(helper.copy(TIMEOUT, TMP.resolve("copy"), new byte[9]))
                    .as("again")
                    .isTrue();
            assertThat(helper.copy(TIMEOUT, TMP.resolve("copy"), new byte[8])).isFalse();
        }
        assertThat(Files.getAttribute(tmp.resolve("copy"), "unix:uid")).isEqualTo(0);
        assertThat(tmp.resolve("copy")).hasSize(9);
    }
}
