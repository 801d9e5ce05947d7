// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.Documented;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryFileTest {
    @TempDir
    Path directory;

    @Test
    void theOneAskedForGoesBeforeTheLaunchers() throws IOException {
        Path asked = Files.writeString(directory.resolve("asked.so"), "a").toRealPath();
        assertThat(LibraryFile.of(asked, Map.of(LibraryFile.VARIABLE, "/other")).path())
                .isEqualTo(asked);
        assertThat(LibraryFile.of(null, Map.of(LibraryFile.VARIABLE, asked.toString()))
                        .path())
                .isEqualTo(asked);
    }

    @Test
    void aPlaceThatIsNotKnownIsRefused() {
        Documented.refused(() -> LibraryFile.of(null, Map.of()), "neither --library nor THREADCLOCK_LIBRARY names it");
    }

    @Test
    void aDirectoryIsNoLibrary() {
        Documented.refused(() -> LibraryFile.of(directory, Map.of()), "no file that can be read");
    }

    @Test
    void aLinkIsResolved() throws IOException {
        Path file =
                Files.writeString(directory.resolve("libthreadclock.so.1"), "a").toRealPath();
        Path link = Files.createSymbolicLink(directory.resolve("libthreadclock.so"), file);
        assertThat(LibraryFile.of(link, Map.of()).path()).isEqualTo(file);
    }
}
