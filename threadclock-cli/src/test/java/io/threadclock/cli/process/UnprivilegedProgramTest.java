// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnprivilegedProgramTest {
    private static final Path NOTHING = Path.of("/dev/null");
    private static final long PATIENCE_MS = 60_000;
    private static final int MOST_BYTES = 1 << 20;

    @TempDir
    Path mount;

    private FakeProc fake;

    @BeforeEach
    void createProc() {
        fake = new FakeProc(mount);
    }

    @Test
    void tellsWhatItPrintedAndHowItEnded() throws Exception {
        assertThat(ours("echo out; echo err >&2; exit 3", PATIENCE_MS))
                .isEqualTo(new UnprivilegedProgram.Result(true, 3, "out\nerr\n"));
    }

    @Test
    void readsTheBeginningOfWhatIsFarTooLong() throws Exception {
        assertThat(ours("head -c 3000000 /dev/zero", PATIENCE_MS).text()).hasSize(MOST_BYTES);
    }

    /** As the target's user may do, who can take the descriptor. */
    @Test
    void waitsForNobodyElseWhoWritesToItsOutput() throws Exception {
        UnprivilegedProgram.Result result = ours("echo said; yes >&1 & exit 0", PATIENCE_MS);
        assertThat(result.hasEnded()).isTrue();
        assertThat(result.text()).startsWith("said\n").hasSizeLessThanOrEqualTo(MOST_BYTES);
    }

    @Test
    void tellsTheBeginningOfALineThatIsFarTooLong() {
        assertThat(new UnprivilegedProgram.Result(true, 0, "\n" + "x".repeat(MOST_BYTES)).firstLine())
                .hasValue("x".repeat(300));
    }

    @Test
    void endsWhatTakesTooLong() throws Exception {
        assertThat(ours("exec sleep 600", 100).hasEnded()).isFalse();
    }

    @Test
    void mayHaveAFolderAsItsInput() throws Exception {
        try (OpenFolder folder = OpenFolder.of(mount)) {
            assertThat(ours("ls /proc/self/fd/0/", folder.pathForOthers(), PATIENCE_MS)
                            .text())
                    .isEqualTo("77\nself\n");
        }
    }

    @Test
    void ofAnotherUserHasASessionOfItsOwnAndNothingInItsEnvironment() throws Exception {
        Assumptions.assumeTrue(ProcessFiles.self().status().orElseThrow().uid() == 0, "this is not root");
        String text = another("tr '\\0' '\\n' </proc/self/environ; cut -d' ' -f1,6,7 /proc/$$/stat")
                .text();
        assertThat(text.lines().findFirst()).hasValue("LC_ALL=C.UTF-8");
        assertThat(text).containsPattern("(?m)^(\\d+) \\1 0$");
    }

    private UnprivilegedProgram.Result ours(String script, long longestMs) throws IOException, InterruptedException {
        return ours(script, NOTHING, longestMs);
    }

    private UnprivilegedProgram.Result ours(String script, Path input, long longestMs)
            throws IOException, InterruptedException {
        fake.statusWith("Uid:.*", "Uid:\t0\t0\t0\t0")
                .write("self/status", "Uid:\t0\t0\t0\t0\nGid:\t54331\t54331\t54331\t54331\n");
        return new UnprivilegedProgram(fake.target()).run(List.of("sh", "-c", script), input, longestMs);
    }

    private UnprivilegedProgram.Result another(String script) throws IOException, InterruptedException {
        return new UnprivilegedProgram(fake.target()).run(List.of("sh", "-c", script), NOTHING, PATIENCE_MS);
    }
}
