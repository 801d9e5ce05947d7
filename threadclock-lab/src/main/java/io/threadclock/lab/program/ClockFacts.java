// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.ThreadClock;
import io.threadclock.harness.Exchange;
import java.io.IOException;
import java.util.Locale;

/**
 * The library's source and binding in a JVM: the answer to any request.
 *
 * @param source as in {@code rseq}
 * @param binding as in {@code FFM}
 */
public record ClockFacts(String source, String binding) {
    public static void main(String[] arguments) throws IOException {
        Exchange.answerEach(String.class, any -> ofThisJvm());
    }

    static ClockFacts ofThisJvm() {
        String source = ThreadClock.source().name().toLowerCase(Locale.ROOT);
        return new ClockFacts(source, ThreadClock.binding().toString());
    }
}
