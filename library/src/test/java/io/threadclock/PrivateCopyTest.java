// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateCopyTest {
    private static final byte[] BYTES = {1, 2, 3};

    @TempDir
    private Path parent;

    @Test
    void holdsTheBytesInAnotherFileEachTimeInADirectoryThatIsTheOwnersAlone() throws IOException {
        try (PrivateCopy copy = copy();
                PrivateCopy other = copy()) {
            assertThat(copy.file()).hasBinaryContent(BYTES).isNotEqualTo(other.file());
            assertThat(Files.getPosixFilePermissions(copy.file().getParent()))
                    .as("permissions of the directory")
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void leavesNothingBehind() throws IOException {
        copy().close();
        assertThat(parent).as("where it was").isEmptyDirectory();
    }

    @Test
    void leavesNothingBehindWhenItCouldNotBeMade() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("planted");
            }
        };
        assertThatThrownBy(() -> PrivateCopy.of(broken, parent)).hasMessage("planted");
        assertThat(parent).as("where it would have been").isEmptyDirectory();
    }

    @Test
    void isNotKeptWhereOthersCanPutAnotherInItsPlace() throws IOException {
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> PrivateCopy.keptIn(parent, new ByteArrayInputStream(BYTES)))
                .hasMessageContaining("others can replace what is put there");
        assertThat(parent).as("where it would have been").isEmptyDirectory();
    }

    @Test
    void isKeptWhereOnlyAnOwnerRemovesFiles() throws IOException {
        Files.setAttribute(parent, "unix:mode", 01777);
        PrivateCopy.keptIn(parent, new ByteArrayInputStream(BYTES)).close();
    }

    private PrivateCopy copy() throws IOException {
        return PrivateCopy.of(new ByteArrayInputStream(BYTES), parent);
    }
}
