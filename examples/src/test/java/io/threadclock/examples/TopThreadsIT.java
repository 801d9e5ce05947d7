// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

class TopThreadsIT {
    private static final int INTERVALS = 3;
    /**
     * A thread that waits for as long as it has worked uses no more in any interval, but for a turn at its end. Beside
     * others, one that works always need not use more than that: it gets what they leave.
     */
    private static final double MOST_OF_HALF = 60;

    private static final Pattern ROW = Pattern.compile(" *(\\d+)[.,](\\d) %  (\\w+) +(.+)");

    @OnOldestAndNewestJdk
    @Tag("timing")
    void tellsWhoWorksFromWhoWaits(Jdk jdk) {
        double always = usage(jdk, "works always");
        double half = usage(jdk, "works half the time");
        assertThat(always).as("usage by a thread that works always, %%").isPositive();
        assertThat(half)
                .as("usage by a thread that works half the time, %%; by one that works always: %s %%", always)
                .isBetween(0.1 * always, INTERVALS * MOST_OF_HALF);
        assertThat(usage(jdk, "waits")).as("usage by one that waits").isLessThan(0.1 * half);
    }

    @OnOldestAndNewestJdk
    void putsTheGreatestFirst(Jdk jdk) {
        String rows = String.join("\n", Printed.by(TopThreads.class, jdk).lines());
        List<String> intervals = Stream.of(rows.split("(?m)^\\d.*:$")).skip(1).toList();
        assertThat(intervals).hasSize(INTERVALS).allSatisfy(interval -> {
            // main prints, which costs it more than others leave to the workers where there are many
            List<String> threads = interval.strip()
                    .lines()
                    .filter(line -> !line.endsWith("  main"))
                    .toList();
            assertThat(threads.get(0)).as("the first of %s", threads).contains("  works ");
            assertThat(usages(threads)).as("usage, in %%").isSortedAccordingTo(Comparator.reverseOrder());
        });
    }

    /** The usage of a thread, as the sum of all intervals. */
    private static double usage(Jdk jdk, String thread) {
        return usages(Printed.by(TopThreads.class, jdk).lines().stream()
                        .filter(line -> line.endsWith("  " + thread))
                        .toList())
                .stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    private static List<Double> usages(List<String> lines) {
        return lines.stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(row -> Double.valueOf(row.group(1) + "." + row.group(2)))
                .toList();
    }
}
