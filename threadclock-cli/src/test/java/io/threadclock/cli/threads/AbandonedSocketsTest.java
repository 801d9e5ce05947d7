// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.cli.process.OpenFolder;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AbandonedSocketsTest {
    private static final String PREFIX = ".threadclock_";
    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));

    @TempDir
    Path directory;

    private void remove() throws IOException {
        removeThoseOf(directory, own());
    }

    private static void removeThoseOf(Path directory, int uid) throws IOException {
        try (OpenFolder folder = OpenFolder.of(directory)) {
            AbandonedSockets.remove(folder, PREFIX, uid);
        }
    }

    private int own() throws IOException {
        return (Integer) Files.getAttribute(directory, "unix:uid");
    }

    private Path old(Path file) throws IOException {
        Files.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(LONG_AGO, null, null);
        return file;
    }

    private ServerSocketChannel listenAt(Path file) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(file));
    }

    private Path abandoned(String name) throws IOException {
        Path file = directory.resolve(name);
        listenAt(file).close();
        return file;
    }

    @Test
    void oneThatNobodyListensAtIsRemoved() throws IOException {
        Path file = old(abandoned(PREFIX + 4711));
        remove();
        assertThat(file).doesNotExist();
    }

    @Test
    void oneThatSomebodyListensAtStaysWhateverItsPid() throws IOException {
        Path file = directory.resolve(PREFIX + Integer.MAX_VALUE);
        try (ServerSocketChannel listener = listenAt(file)) {
            old(file);
            remove();
            assertThat(listener.isOpen()).isTrue();
            assertThat(file).exists();
        }
    }

    @Test
    void aYoungOneMayBeAboutToListen() throws IOException {
        Path file = abandoned(PREFIX + 4711);
        remove();
        assertThat(file).exists();
    }

    @Test
    void anotherUsersStays() throws IOException {
        Path file = old(abandoned(PREFIX + 4711));
        removeThoseOf(directory, own() + 1);
        assertThat(file).exists();
    }

    @Test
    void whatIsNoSocketOrHasAnotherNameStays() throws IOException {
        Path plain = old(Files.createFile(directory.resolve(PREFIX + 1)));
        Path elsewhere = abandoned("elsewhere");
        Path link = Files.createSymbolicLink(directory.resolve(PREFIX + 2), elsewhere);
        Path named = old(abandoned(PREFIX + "notes"));
        old(elsewhere);
        old(link);
        remove();
        assertThat(plain).exists();
        assertThat(link).exists();
        assertThat(named).exists();
    }

    /** Nobody listens on either, and the link leads to an old socket of this user. */
    @Test
    void whatALinkLeadsToIsNeitherAskedNorRemoved() throws IOException {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Path file = old(abandoned("elsewhere/" + PREFIX + 1));
        Path link = Files.createSymbolicLink(directory.resolve(PREFIX + 1), file);
        Path folder = Files.createSymbolicLink(directory.resolve("tmp"), elsewhere);
        remove();
        assertThatThrownBy(() -> OpenFolder.of(directory, Path.of("tmp"))).isInstanceOf(IOException.class);
        assertThat(file).exists();
        assertThat(link).isSymbolicLink();
        assertThat(folder).isSymbolicLink();
    }
}
