// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Answers of a JVM that is asked to attach, and of the process that asks it as another user. */
class AnswersFuzzTest {
    private static final int LONGEST = 1000;

    @FuzzTest
    void ofAJvm(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        AttachAnswer answer = AttachClient.answered(text, AttachClient.version(text), System.nanoTime());
        require(answer.text().length() <= LONGEST && answer.jvm().length() <= LONGEST, "short texts");
        require(AttachAnswer.ofLine(answer.toLine()).isPresent(), "an answer comes back from its line");
    }

    @FuzzTest
    void ofAnotherUser(byte[] bytes) {
        AttachAnswer.ofLine(new String(bytes, StandardCharsets.UTF_8));
    }

    private static void require(boolean law, String words) {
        if (!law) {
            throw new AssertionError(words);
        }
    }
}
