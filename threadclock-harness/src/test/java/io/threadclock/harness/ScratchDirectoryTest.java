// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    @Test
    void whatWorksInItIsEndedOnceBeforeItIsDeleted() {
        ScratchDirectory scratch = ScratchDirectory.create("threadclock-test-");
        List<Boolean> wasThere = new ArrayList<>();
        scratch.endBy(() -> wasThere.add(Files.exists(scratch.path())));
        scratch.close();
        scratch.close();
        assertThat(wasThere).containsExactly(true);
    }

    @Test
    void isDeletedEvenIfWhatWorksInItCannotBeEnded() {
        ScratchDirectory scratch = ScratchDirectory.create("threadclock-test-");
        scratch.endBy(() -> {
            throw new SetupException("It goes on.");
        });
        assertThatThrownBy(scratch::close).isInstanceOf(SetupException.class);
        assertThat(scratch.path()).doesNotExist();
    }
}
