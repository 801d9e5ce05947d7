// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Output of the probe, which a foreign JDK may run. */
class ProbeFuzzTest {
    @FuzzTest
    void prints(byte[] bytes) {
        try {
            UserTimeCall call = UserTimeCall.parse(new String(bytes, StandardCharsets.UTF_8), 4_000_000);
            call.leastShare();
            call.greatestShare();
        } catch (IllegalArgumentException refused) {
            return;
        }
    }
}
