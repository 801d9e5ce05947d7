// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerfDataTest {
    private static final int HEADER_BYTES = 32;
    private static final int ENTRY_BYTES = 96;
    private static final int NAME = 20;
    private static final int TEXT = 60;
    private static final Path TMP = Path.of("/tmp");

    @TempDir
    Path root;

    private int uid;

    @BeforeEach
    void look() throws IOException {
        uid = (Integer) Files.getAttribute(root, "unix:uid");
    }

    @Test
    void saysWhetherTheJvmCanBeAttachedTo() {
        assertThat(PerfData.parse(file("10000000")).attachable()).contains(true);
        assertThat(PerfData.parse(file("01000000")).attachable()).contains(false);
    }

    @Test
    void saysWhetherTheJvmHasStarted() {
        assertThat(PerfData.parse(time(0)).started()).contains(false);
        assertThat(PerfData.parse(time(1795256157256L)).started()).contains(true);
        assertThat(PerfData.parse(file("1")).started()).isEmpty();
    }

    @Test
    void saysOfWhichJdkTheJvmIs() {
        assertThat(PerfData.parse(text("java.property.java.version", "21.0.2")).feature())
                .hasValue(21);
        assertThat(PerfData.parse(text("java.property.java.version", "1.8.0_504"))
                        .feature())
                .hasValue(8);
        assertThat(PerfData.parse(text("java.property.java.version", "99999999999"))
                        .feature())
                .hasValue(9999);
        assertThat(PerfData.parse(text("java.property.java.version", "x")).feature())
                .isEmpty();
        assertThat(PerfData.parse(file("1")).feature()).isEmpty();
    }

    /**
     * Makes the folder as HotSpot does, whatever the umask is. QuestDB, if it has run in this JVM, lets the group
     * write.
     */
    private Path usersFolder(String name) throws IOException {
        Path folder = Files.createDirectories(root.resolve(name));
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void findsTheFileByThePidThatTheProcessSees() throws IOException {
        Path directory = usersFolder("tmp/hsperfdata_somebody");
        Files.write(directory.resolve("9"), file("00000000"));
        assertThat(PerfData.of(root, TMP, 9, uid).attachable()).contains(false);
        assertThat(PerfData.of(root, TMP, 8, uid).attachable()).isEmpty();
    }

    /** Root of a container may put anything there. */
    @Test
    void ofAContainerTheMappedFileIsReadWhateverHasItsNameNow() throws IOException {
        FakeProc fake =
                new FakeProc(root).write("77/maps", "7f00-7f08 rw-s 00000000 08:01 12     /tmp/hsperfdata_x/9\n");
        Files.write(Files.createDirectories(fake.file("77/map_files")).resolve("7f00-7f08"), file("00000000"));
        assertThat(PerfData.mappedBy(fake.target().files(), 9).attachable()).contains(false);
        assertThat(PerfData.mappedBy(fake.target().files(), 8).attachable()).isEmpty();
    }

    @Test
    void aFileOfSomebodyElseSaysNothing() throws IOException {
        int other = 54321;
        Path directory = usersFolder("tmp/hsperfdata_somebody");
        Path file = Files.write(directory.resolve("9"), file("00000000"));
        if (uid == 0) {
            Files.setAttribute(file, "unix:uid", other + 1);
        }
        assertThat(PerfData.of(root, TMP, 9, other).attachable()).isEmpty();
    }

    @Test
    void whatALinkLeadsToSaysNothing() throws IOException {
        Path elsewhere = usersFolder("elsewhere");
        Files.write(elsewhere.resolve("9"), file("00000000"));
        Files.createDirectories(root.resolve("tmp"));
        Files.createSymbolicLink(root.resolve("tmp/hsperfdata_somebody"), elsewhere);
        assertThat(PerfData.of(root, TMP, 9, uid).attachable()).isEmpty();
        Files.createDirectories(root.resolve("other"));
        Files.createSymbolicLink(root.resolve("other/tmp"), root.resolve("tmp"));
        Files.delete(root.resolve("tmp/hsperfdata_somebody"));
        Files.move(elsewhere, root.resolve("tmp/hsperfdata_somebody"));
        assertThat(PerfData.of(root, TMP, 9, uid).attachable()).contains(false);
        assertThat(PerfData.of(root.resolve("other"), TMP, 9, uid).attachable()).isEmpty();
    }

    /** Everybody could put another file there. */
    @Test
    void aFolderThatOthersMayWriteSaysNothing() throws IOException {
        Path folder = usersFolder("tmp/hsperfdata_somebody");
        Files.write(folder.resolve("9"), file("00000000"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(PerfData.of(root, TMP, 9, uid).attachable()).isEmpty();
    }

    @Test
    void aFileThatIsCutSaysNothing() throws IOException {
        Path directory = usersFolder("tmp/hsperfdata_somebody");
        Files.write(directory.resolve("9"), Arrays.copyOf(file("1"), HEADER_BYTES + TEXT));
        assertThat(PerfData.of(root, TMP, 9, uid).attachable()).isEmpty();
    }

    /** Sixteen thousand entries whose names and texts overlap, each of half a megabyte. */
    @Test
    void keepsNoMoreThanWhatIsAskedForHoweverMuchAFileSays() {
        int half = 1 << 19;
        ByteBuffer file = ByteBuffer.allocate(2 * half).order(ByteOrder.LITTLE_ENDIAN);
        Arrays.fill(file.array(), half, 2 * half - 1, (byte) 'x');
        file.putInt(0, Integer.reverseBytes(0xcafec0c0))
                .put(4, (byte) 1)
                .putInt(24, HEADER_BYTES)
                .putInt(28, Integer.MAX_VALUE);
        for (int at = HEADER_BYTES, i = 0; at < half; at += HEADER_BYTES, i++) {
            int text = half - at + i;
            file.putInt(at, HEADER_BYTES)
                    .putInt(at + 4, text)
                    .putInt(at + 8, 1)
                    .put(at + 12, (byte) 'B')
                    .putInt(at + 16, text);
        }
        file.putInt(half, 0);
        assertThat(PerfData.parse(file.array()).texts()).isEmpty();
        assertThat(PerfData.parse(file("1".repeat(35))).attachable()).contains(true);
    }

    @Test
    void anotherFileSaysNothing() {
        assertThat(PerfData.parse(new byte[HEADER_BYTES]).texts()).isEmpty();
    }

    private static byte[] time(long endMs) {
        ByteBuffer file = ByteBuffer.wrap(file("")).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer entry = file.slice(HEADER_BYTES, ENTRY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        entry.putInt(8, 0).put(12, (byte) 'J').putLong(TEXT, endMs);
        entry.put(NAME, "sun.rt.createVmEndTime".getBytes(StandardCharsets.US_ASCII));
        return file.array();
    }

    private static byte[] file(String capabilities) {
        return text("sun.rt.jvmCapabilities", capabilities);
    }

    private static byte[] text(String name, String content) {
        ByteBuffer file = ByteBuffer.allocate(HEADER_BYTES + ENTRY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        file.putInt(0, Integer.reverseBytes(0xcafec0c0))
                .put(4, (byte) 1)
                .putInt(24, HEADER_BYTES)
                .putInt(28, 1);
        ByteBuffer entry = file.slice(HEADER_BYTES, ENTRY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        entry.putInt(0, ENTRY_BYTES)
                .putInt(4, NAME)
                .putInt(8, 64)
                .put(12, (byte) 'B')
                .putInt(16, TEXT);
        entry.put(NAME, name.getBytes(StandardCharsets.US_ASCII));
        entry.put(TEXT, content.getBytes(StandardCharsets.US_ASCII));
        return file.array();
    }
}
