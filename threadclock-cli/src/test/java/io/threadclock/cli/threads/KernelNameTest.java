// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelNameTest {
    @ParameterizedTest
    @CsvSource({
        "main, main, true",
        "main, mainly, false",
        "http-nio-8080-e, http-nio-8080-exec-1, true",
        "http-ni..exec-1, http-nio-8080-exec-1, true",
        "http-ni..exec-1, http-nio-8080-exec-2, false",
        "http-ni..exec-1, ftp-nio-8080-exec-1, false"
    })
    void isTheBeginningOrTheEndsOfAName(String kernelName, String name, boolean may) {
        assertThat(KernelName.mayStandFor(kernelName, name)).isEqualTo(may);
    }
}
