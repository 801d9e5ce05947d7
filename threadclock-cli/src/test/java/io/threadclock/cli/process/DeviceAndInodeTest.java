// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.MemoryMap.MappedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceAndInodeTest {
    @TempDir
    Path directory;

    /** This holds on every file system, including those of libraries and overlays. */
    @Test
    void areThoseOfWhatThisJvmHasLoaded() {
        MappedFile libjvm = ProcessFiles.self().code("libjvm.so"::equals).get(0);
        assertThat(libjvm.is(Path.of(libjvm.path()))).isTrue();
        assertThat(DeviceAndInode.whenMapped(Path.of(libjvm.path())))
                .hasValue(new DeviceAndInode(libjvm.device(), libjvm.inode()));
    }

    @Test
    void areOthersOfACopy() throws IOException {
        MappedFile libjvm = ProcessFiles.self().code("libjvm.so"::equals).get(0);
        Path copy = Files.copy(Path.of(libjvm.path()), directory.resolve("libjvm.so"));
        assertThat(libjvm.is(copy)).isFalse();
    }

    @Test
    void areNoneOfWhatCannotBeMapped() throws IOException {
        assertThat(DeviceAndInode.whenMapped(directory)).isEmpty();
        assertThat(DeviceAndInode.whenMapped(directory.resolve("none"))).isEmpty();
        assertThat(DeviceAndInode.whenMapped(Files.createFile(directory.resolve("empty"))))
                .isEmpty();
        assertThat(DeviceAndInode.whenMapped(
                        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("empty"))))
                .isEmpty();
    }
}
