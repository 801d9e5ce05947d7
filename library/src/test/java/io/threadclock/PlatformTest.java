// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {
    @ParameterizedTest
    @CsvSource({"amd64,linux-x86_64", "x86_64,linux-x86_64", "aarch64,linux-aarch64"})
    void knowsWhereTheJarHasItsLibrary(String processor, String directory) {
        Platform platform = new Platform("Linux", processor);
        assertThat(platform.isSupported())
                .as("Linux on %s is supported", processor)
                .isTrue();
        assertThat(platform.directory()).as("directory in the jar").isEqualTo(directory);
    }

    @ParameterizedTest
    @CsvSource({"Linux,i386", "Linux,s390x", "Mac OS X,aarch64", "Windows 11,amd64"})
    void refusesAllOthersByName(String system, String processor) {
        Platform platform = new Platform(system, processor);
        assertThat(platform.isSupported())
                .as("%s on %s is supported", system, processor)
                .isFalse();
        assertThat(platform.refusal()).as("the reason").contains(system + " on " + processor, "x86_64 or aarch64");
    }

    @Test
    void isThatOfTheLibraryTheBuildHasPacked() {
        String resource = "/META-INF/native/" + Platform.ofThisJvm().directory() + "/libthreadclock.so";
        assertThat(Platform.class.getResource(resource)).as(resource).isNotNull();
    }
}
