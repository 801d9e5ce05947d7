// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JvmListTest {
    @ParameterizedTest
    @CsvSource({
        "java -Xmx1g -cp a:b com.example.Main --port 1, com.example.Main",
        "/usr/bin/java -jar /opt/app/app.jar x, app.jar",
        "java --module-path mods -m com.example/com.example.Main, com.example.Main",
        "java @options com.example.Main, com.example.Main",
        "jshell, jshell"
    })
    void aProgramIsWhatFollowsTheOptions(String words, String program) {
        assertThat(JvmList.programOf(List.of(words.split(" ")))).isEqualTo(program);
    }

    @Test
    void twoOfOneProgramAreToldApartByUserArgumentsAndProperties() {
        JvmList.Entry entry = new JvmList.Entry(
                4711,
                "shop",
                List.of("java", "-Xmx1g", "-Dserver.port=8081", "-jar", "/opt/boot-1.jar", "--profile", "b"));
        assertThat(entry.line(150)).isEqualTo("   4711  shop      boot-1.jar --profile b -Dserver.port=8081");
        assertThat(entry.line(30)).hasSize(30);
        assertThat(new JvmList.Entry(1, "root", List.of()).line(80)).isEqualTo("      1  root      ?");
        assertThat(new JvmList.Entry(1, "root", List.of("java", "-jar")).line(80))
                .endsWith(" -jar");
    }

    @Test
    void fromOutsideTheJvmsOfOthersAreListedByTheNameOfTheProgram(@TempDir Path mount) {
        Proc proc = new FakeProc(mount)
                .write("78/maps", "")
                .write("78/cmdline", "/usr/bin/java\0-jar\0other.jar\0")
                .write("79/maps", "")
                .write("79/cmdline", "/usr/bin/javap\0x\0")
                .proc();
        assertThat(JvmList.of(proc).entries()).extracting(JvmList.Entry::pid).containsExactly(77);
        assertThat(JvmList.ofAll(proc).entries()).extracting(JvmList.Entry::pid).containsExactlyInAnyOrder(77, 78);
    }

    /** A class path may be long, and the words of a hostile process may be endless. */
    @Test
    void ofWordsWithoutEndTheBeginningIsKept() {
        JvmList.Entry honest = new JvmList.Entry(1, "root", List.of("java", "-cp", "x".repeat(100_000), "Main"));
        assertThat(JvmList.programOf(honest.words())).isEqualTo("Main");
        JvmList.Entry hostile = new JvmList.Entry(1, "root", Collections.nCopies(1_000_000, ""));
        assertThat(hostile.words()).hasSizeLessThan(100_000);
    }
}
