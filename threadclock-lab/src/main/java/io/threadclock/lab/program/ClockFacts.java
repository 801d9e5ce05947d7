// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.ThreadClock;
import java.io.IOException;
import java.util.Locale;

/** Answers any request with the library's source and binding in this JVM, as in {@code rseq FFM}. */
public final class ClockFacts {
    private ClockFacts() {}

    public static void main(String[] arguments) throws IOException {
        Answer.toEachLine(line -> facts());
    }

    static String facts() {
        return ThreadClock.source().name().toLowerCase(Locale.ROOT) + " " + ThreadClock.binding();
    }
}
