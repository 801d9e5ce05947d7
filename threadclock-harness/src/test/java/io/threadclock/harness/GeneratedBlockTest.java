// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedBlockTest {
    private final GeneratedBlock block = new GeneratedBlock("demo");

    @TempDir
    Path directory;

    @Test
    void replacesWhatIsBetweenItsMarkersAndNothingElse() throws IOException {
        Path file = document("before\n<!-- demo:begin -->\nold\n<!-- demo:end -->\nafter\n");
        assertThat(block.write(file, "new\n\ntable\n")).isTrue();
        assertThat(file).hasContent("before\n<!-- demo:begin -->\nnew\n\ntable\n<!-- demo:end -->\nafter\n");
    }

    @Test
    void givesTheSameFileWhenItIsWrittenTwice() throws IOException {
        Path file = document("<!-- demo:begin -->\n<!-- demo:end -->\n");
        block.write(file, "table");
        String once = Files.readString(file);
        block.write(file, "table");
        assertThat(file).hasContent(once);
    }

    @Test
    void leavesBlocksOfOtherNamesAlone() throws IOException {
        String text = "<!-- demo:readme:begin -->\nkept\n<!-- demo:readme:end -->\n";
        Path file = document(text);
        assertThat(block.write(file, "new")).isFalse();
        assertThat(file).hasContent(text);
    }

    @Test
    void writesNothingWhereThereIsNoFile() {
        Path file = directory.resolve("absent.md");
        assertThat(block.write(file, "new")).isFalse();
        assertThat(file).doesNotExist();
    }

    @Test
    void refusesABeginWithoutAnEnd() throws IOException {
        Path file = document("<!-- demo:begin -->\nall the rest of the document\n");
        assertThatThrownBy(() -> block.write(file, "new"))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll(file.toString(), "has no <!-- demo:end --> after it", "Put that line back");
        assertThat(file).hasContent("<!-- demo:begin -->\nall the rest of the document\n");
    }

    @Test
    void readsWhatItHasWritten() throws IOException {
        Path file = document("before\n<!-- demo:begin -->\n<!-- demo:end -->\n");
        block.write(file, "table\n\nnote\n");
        assertThat(block.in(Files.readString(file))).contains("table\n\nnote");
        assertThat(block.in("no block")).isEmpty();
    }

    private Path document(String text) throws IOException {
        return Files.writeString(directory.resolve("document.md"), text);
    }
}
