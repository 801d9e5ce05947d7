// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchDirectoryTest {
    @Test
    void isDeletedWithAllThatIsInIt() throws IOException {
        ScratchDirectory scratch = ScratchDirectory.create("threadclock-test-");
        Path below = Files.createDirectories(scratch.path().resolve("a/b"));
        Files.writeString(below.resolve("file"), "text");
        scratch.close();
        assertThat(scratch.path()).doesNotExist();
    }

    @Test
    void leavesAloneWhatItsLinksPointTo(@TempDir Path elsewhere) throws IOException {
        Path outside = Files.writeString(elsewhere.resolve("file"), "text");
        ScratchDirectory scratch = ScratchDirectory.create("threadclock-test-");
        Files.createSymbolicLink(scratch.path().resolve("link"), elsewhere);
        scratch.close();
        assertThat(outside).exists();
    }

    @Test
    void mayBeGoneAlreadyWhenItIsClosed() throws IOException {
        ScratchDirectory scratch = ScratchDirectory.create("threadclock-test-");
        Files.delete(scratch.path());
        assertThatCode(scratch::close).doesNotThrowAnyException();
    }
}
