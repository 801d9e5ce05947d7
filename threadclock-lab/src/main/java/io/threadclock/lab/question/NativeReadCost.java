// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.Exchange;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.NativeMake;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;

/** What does one read cost in C? {@code make bench} of the native library measures it. */
public final class NativeReadCost {
    private NativeReadCost() {}

    /** What the program says of a contender: the ns of one read, round by round. */
    record Row(String name, List<Double> ns) {}

    /**
     * @param home the checkout
     * @throws SetupException if it cannot be built or does not say what it measured
     */
    public static List<Series> measure(Path home, int rounds) {
        return parse(new NativeMake(home).output(Redirect.PIPE, "bench", "ROUNDS=" + rounds, "JSON=1"));
    }

    /**
     * The figures. A source that the kernel refused has none.
     *
     * @throws SetupException if there are none at all
     */
    static List<Series> parse(String output) {
        return rows(output).stream()
                .map(row -> new Series(new Subject(Benchmarks.NATIVE, "", row.name(), "read", null), "ns", row.ns()))
                .toList();
    }

    private static List<Row> rows(String output) {
        try {
            List<Row> rows = Exchange.answersIn(output, Row.class);
            if (!rows.isEmpty()) {
                return rows;
            }
        } catch (IllegalArgumentException cutOff) {
            throw nothingIn(output, cutOff);
        }
        throw nothingIn(output, null);
    }

    private static SetupException nothingIn(String output, Throwable cause) {
        String last = output.lines().reduce("nothing", (first, second) -> second);
        return new SetupException(
                "Running make -C threadclock-native bench JSON=1: it printed no measurement, " + "and at last \"" + last
                        + "\". Run it by hand to see all of it.",
                cause);
    }
}
