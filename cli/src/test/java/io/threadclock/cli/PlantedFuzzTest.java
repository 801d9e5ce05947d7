// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** A fault that a working fuzzer must find; no seed shows it. */
class PlantedFuzzTest {
    @FuzzTest
    void fault(byte[] bytes) {
        if (new String(bytes, StandardCharsets.ISO_8859_1).startsWith("tick")) {
            throw new AssertionError("planted");
        }
    }
}
