// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JvmThreadKindTest {
    private static final String EMOJI = "\\355\\240\\275\\355\\270\\200"; // as JDK 8 to 28 write U+1F600

    /** With {@code \\303} for a byte outside ASCII, as od prints it. */
    @ParameterizedTest
    @CsvSource({
        "main, main, true",
        "main, mainly, false",
        "http-nio-8080-e, http-nio-8080-exec-1, true",
        "http-ni..exec-1, http-nio-8080-exec-1, true",
        "http-ni..exec-1, http-nio-8080-exec-2, false",
        "http-ni..exec-1, ftp-nio-8080-exec-1, false",
        "fourteen-bytes\\303, fourteen-bytesé, true",
        "fourteen-bytes\\303, fourteen-bytesA, false",
        "fourtee..ytes\\303\\251, fourteen-bytesé, true",
        "fourtee..ytes\\303\\251, fourteen-bytesê, false",
        "\\303\\251abcdefghijklm, éabcdefghijklmnop, true",
        EMOJI + " emoji wo, \uD83D\uDE00 emoji worker, true",
        EMOJI + " ..worker, \uD83D\uDE00 emoji worker, true",
        EMOJI + " ..worker, \uD83D\uDE01 emoji worker, false",
        "abcde\\355\\240..d long, abcde\uD83D\uDE00 middle and long, true"
    })
    void theKernelHasTheFirstBytesOfANameOrItsEnds(String kernels, String name, boolean is) {
        assertThat(JvmThreadKind.isKernelsNameOf(kernels.translateEscapes(), name))
                .isEqualTo(is);
    }
}
