// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PerfDataTest extends OverFakeProc {
    private static final int HEADER_BYTES = 32;
    private static final int ENTRY_BYTES = 96;
    private static final int NAME = 20;
    private static final int TEXT = 60;

    @ParameterizedTest
    @CsvSource({"21.0.2, 21", "1.8.0_504, 8", "99999999999, 9999", "x, 0"})
    void saysOfWhichJdkTheJvmIs(String version, int feature) {
        PerfData data = PerfData.parse(text("java.property.java.version", version));
        assertThat(data.feature().orElse(0)).isEqualTo(feature);
    }

    @ParameterizedTest
    @CsvSource({"'',", "Unknown,", "a.Main x, a.Main x"})
    void saysWhatTheJvmRuns(String text, String command) {
        assertThat(PerfData.parse(text("sun.rt.javaCommand", text)).command()).isEqualTo(Optional.ofNullable(command));
    }

    @Test
    void saysWhetherTheJvmHasStartedAndCanBeAttachedTo() {
        assertThat(PerfData.parse(time(0)).started()).contains(false);
        assertThat(PerfData.parse(time(1795256157256L)).started()).contains(true);
        assertThat(PerfData.parse(file("10000000")).started()).isEmpty();
        assertThat(PerfData.parse(file("10000000")).attachable()).contains(true);
        assertThat(PerfData.parse(file("01000000")).attachable()).contains(false);
        assertThat(PerfData.parse(new byte[HEADER_BYTES])).as("another file").isEqualTo(PerfData.NONE);
    }

    @Test
    void isReadInTheFolderOfTheMappedFile() throws IOException {
        fake.write("77/maps", "7f00-7f08 rw-s 00000000 08:01 12     /var/x/hsperfdata_x/9\n")
                .write("77/root/var/x/hsperfdata_x/9", "");
        Path file = Files.write(fake.file("77/root/var/x/hsperfdata_x/9"), text("java.property.java.version", "21"));
        assertThat(fake.target().feature()).hasValue(21);
        Files.write(file, text("sun.rt.javaCommand", "/opt/orders.jar --fast"));
        assertThat(fake.target().program()).isEqualTo("orders.jar");
        Files.write(file, Arrays.copyOf(file("1"), HEADER_BYTES + TEXT));
        assertThat(fake.target().feature()).as("cut").isEmpty();
        assertThat(fake.target().program()).as("by its words").isEqualTo("app.jar");
    }

    /** Sixteen thousand entries whose names and texts overlap, each of half a megabyte. */
    @Test
    void keepsNoMoreThanWhatIsAskedForHoweverMuchAFileSays() {
        int half = 1 << 19;
        ByteBuffer file = headed(2 * half, Integer.MAX_VALUE);
        Arrays.fill(file.array(), half, 2 * half - 1, (byte) 'x');
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

    private static ByteBuffer headed(int bytes, int entries) {
        ByteBuffer file = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        file.putInt(0, Integer.reverseBytes(0xcafec0c0)).put(4, (byte) 1);
        return file.putInt(24, HEADER_BYTES).putInt(28, entries);
    }

    private static byte[] text(String name, String content) {
        ByteBuffer file = headed(HEADER_BYTES + ENTRY_BYTES, 1);
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
