// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** A fact that a probe prints on standard output. */
final class Fact {
    private static final long NOT_AVAILABLE = -1;

    private Fact() {}

    static void print(String name, Object value) {
        System.out.println(name + "=" + value);
    }

    /** The kind of an answer in place of its number, which differs from run to run. */
    static String kind(long ns) {
        if (ns == NOT_AVAILABLE) {
            return "-1";
        }
        return ns < 0 ? "negative" : "time";
    }

    /** The kind of the answer, or the exception that came instead. */
    static String kind(Callable<Long> call) {
        return answer(() -> kind(call.call()));
    }

    /** The kinds of the answers, or the exception that came instead. */
    static String kinds(Callable<long[]> call) {
        return answer(() -> Arrays.stream(call.call()).mapToObj(Fact::kind).collect(Collectors.joining(",", "[", "]")));
    }

    static String answer(Callable<String> call) {
        try {
            return call.call();
        } catch (Exception thrown) {
            return thrown.getClass().getName();
        }
    }
}
