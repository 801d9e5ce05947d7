// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process belongs to a user who owns none of these files. */
class AccessTest {
    private static final Path LIBRARY = Path.of("/opt/lib.so");

    @TempDir
    Path mount;

    private FakeProc fake;

    @BeforeEach
    void createFiles() {
        fake = new FakeProc(mount)
                .write("77/root/opt/lib.so", "library")
                .statusWith("Uid:.*", "Uid:\t54321\t54321\t54321\t54321");
        fake.permissions("77/root", "rwxr-xr-x").permissions("77/root/opt", "rwx--x--x");
        fake.permissions("77/root/opt/lib.so", "rw-r--r--");
    }

    @Test
    void aFileForEverybodyIsRead() {
        assertThat(reads()).isTrue();
    }

    @Test
    void aFileForItsOwnerIsNotRead() {
        fake.permissions("77/root/opt/lib.so", "rw-------");
        assertThat(reads()).isFalse();
    }

    @Test
    void aFileInADirectoryForItsOwnerIsNotRead() {
        fake.permissions("77/root/opt", "rwx------");
        assertThat(reads()).isFalse();
    }

    @Test
    void permissionsDoNotBindACapableProcessOfOurUserNamespace() throws IOException {
        fake.permissions("77/root/opt/lib.so", "rw-------").statusWith("CapEff.*", "CapEff:\t0000000000000002");
        assertThat(reads()).isTrue();
        fake.userNamespace("self", "user:[1]").userNamespace("77", "user:[2]");
        assertThat(reads()).isFalse();
    }

    /** It leads elsewhere from the process's root than from ours. */
    @Test
    void noLinkIsFollowed() throws IOException {
        Files.createSymbolicLink(fake.file("77/root/link"), fake.file("77/root/opt"));
        assertThat(new Access(fake.target()).reads(Path.of("/link/lib.so"))).isFalse();
    }

    @Test
    void aMissingFileIsNotRead() {
        assertThat(new Access(fake.target()).reads(Path.of("/opt/other.so"))).isFalse();
    }

    private boolean reads() {
        return new Access(fake.target()).reads(LIBRARY);
    }
}
