// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
    @TempDir
    private Path folder;

    @Test
    void replacesWhatWasThereAndLeavesNothingElse() throws IOException {
        Path file = Files.writeString(folder.resolve("results.json"), "old and longer");
        WholeFile.write(file, "new");
        assertThat(file).hasContent("new");
        assertThat(folder.toFile().list()).containsExactly("results.json");
    }

    @Test
    void makesTheFolder() {
        WholeFile.write(folder.resolve("report/index.html"), "page");
        assertThat(folder.resolve("report/index.html")).hasContent("page");
    }

    @Test
    void neverShowsAReaderAPart() throws IOException {
        Path file = Files.writeString(folder.resolve("results.json"), "old");
        Path reader = Files.createLink(folder.resolve("reader"), file);
        WholeFile.write(file, "new");
        assertThat(reader).as("the old file itself is not written to").hasContent("old");
    }

    @Test
    void saysWhatIsInTheWay() throws IOException {
        Path file = Files.writeString(folder.resolve("report"), "no folder").resolve("index.html");
        assertThatThrownBy(() -> WholeFile.write(file, "page"))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("Writing " + file + " failed: ", "Make it and its folder writable.");
    }
}
