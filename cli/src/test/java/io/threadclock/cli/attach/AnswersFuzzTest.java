// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Answers of a JVM that is asked to attach. */
class AnswersFuzzTest {
    private static final int LONGEST = 1000;

    @FuzzTest
    void ofAJvm(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        AttachAnswer answer = AttachSocket.answered(text, AttachSocket.version(text), System.nanoTime());
        require(answer.text().length() <= LONGEST && answer.jvm().length() <= LONGEST, "short texts");
    }

    private static void require(boolean law, String words) {
        if (!law) {
            throw new AssertionError(words);
        }
    }
}
