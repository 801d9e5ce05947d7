// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafeFileTest {
    private static final Pattern LIBJVM = Pattern.compile("(?m)^\\S+ r-xp \\S+ (\\S+ \\d+) +(/.*/libjvm\\.so)$");

    @TempDir
    Path directory;

    private Path libjvm;
    private String numbers;

    @BeforeEach
    void findLibrary() throws IOException {
        Matcher line = LIBJVM.matcher(Files.readString(Path.of("/proc/self/maps")));
        assertThat(line.find()).as("a line of libjvm.so").isTrue();
        numbers = line.group(1);
        libjvm = Path.of(line.group(2));
    }

    /** This holds on every file system, overlays and btrfs included. */
    @Test
    void isWhatThisJvmHasLoadedUnlessOthersInstalledIt() throws IOException {
        int owner = (Integer) Files.getAttribute(libjvm, "unix:uid");
        Assumptions.assumeTrue(owner == 0, "this JDK is not root's");
        assertThat(SafeFile.is(libjvm, numbers)).isTrue();
    }

    /** Some file systems list other numbers for a mapping than stat gives. */
    @Test
    void hasTheListedNumbersWhereItIsMapped() throws IOException {
        assertThat(SafeFile.numbersWhenMapped(libjvm)).containsExactly(numbers);
    }

    @Test
    void isNoCopy() throws IOException {
        assertThat(SafeFile.is(Files.copy(libjvm, directory.resolve("libjvm.so")), numbers))
                .isFalse();
    }

    @Test
    void isNothingThatEverybodyMayWrite() throws IOException {
        Path file = Files.copy(libjvm, directory.resolve("libjvm.so"));
        String own = numbersOf(file);
        Files.setAttribute(file, "unix:mode", 0644);
        assertThat(SafeFile.is(file, own)).isTrue();
        Files.setAttribute(file, "unix:mode", 0646);
        assertThat(SafeFile.is(file, own)).isFalse();
        Files.setAttribute(file, "unix:mode", 0644);
        Files.setAttribute(directory, "unix:mode", 0777);
        assertThat(SafeFile.is(file, own)).isFalse();
    }

    private static String numbersOf(Path file) throws IOException {
        long device = (Long) Files.getAttribute(file, "unix:dev");
        return String.format("%02x:%02x %s", device >> 8 & 0xfff, device & 0xff, Files.getAttribute(file, "unix:ino"));
    }
}
