// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
}
