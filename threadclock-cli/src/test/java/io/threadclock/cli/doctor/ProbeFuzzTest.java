// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;

/** What the probe prints, which runs by a JDK that may be anybody's. */
@Tag("fuzz")
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
