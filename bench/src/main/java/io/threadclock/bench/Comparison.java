// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import io.threadclock.bench.Promise.Sense;
import io.threadclock.harness.Jdk;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * A benchmark by two clocks, which take turns, and what is promised of them.
 *
 * @param bounds on the JDKs from each of {@link #FROM} on; NaN: nothing is promised
 */
record Comparison(String call, Form form, String benchmark, String stock, String other, double... bounds) {
    private static final String ROW = "%-76s %9s %9s %9s %9s%n";
    /** JDK 21 has virtual threads, and 26 does not parse /proc itself, which most promises are about. */
    static final int[] FROM = {17, 21, 26};

    /** Call, form, benchmark, clocks, bounds. By -agentpath, any agent slows virtual threads by half and more. */
    static final List<Comparison> ALL = parse(
            """
            user time                         |GAIN |OneRead.userTime       |stock  |threadclock         |50|50|3
            user time                         |GAIN |OneRead.userTime       |stock  |source=clock        |2|2|NaN
            CPU time                          |GAIN |OneRead.cpuTime        |stock  |threadclock         |5|5|NaN
            user time on 16 threads at once   |GAIN |OneRead.userTimeOn16   |stock  |threadclock         |20|20|NaN
            user time of a thread asleep      |GAIN |OneRead.userTimeOfSleeper|stock  |threadclock,attached|5|5|NaN
            CPU time of a thread asleep       |GAIN |OneRead.cpuTimeOfSleeper|stock  |threadclock,attached|NaN|NaN|NaN
            user time of a busy thread        |GAIN |OneRead.userTimeOfBusy |stock  |threadclock,attached|5|5|NaN
            user time of a thread that reads  |GAIN |OneRead.userTimeOfReader|stock  |threadclock,attached|5|5|NaN
            CPU time of a busy thread         |GAIN |OneRead.cpuTimeOfBusy  |stock  |threadclock,attached|NaN|NaN|NaN
            user time of each of 1,000 threads|GAIN |OneRead.userTimeOf1000 |stock  |threadclock,attached|5|5|NaN
            reads by the library on all paths |PRICE|OneRead.libraryEveryRead|library|library-jni         |NaN|NaN|NaN
            virtual thread's yield            |PRICE|VirtualThread.threadYield|stock  |attached            |NaN|1.5|1.5
            virtual thread's yield            |PRICE|VirtualThread.threadYield|stock  |measured           |NaN|4|4
            virtual thread's park and unpark  |PRICE|VirtualThread.park     |stock  |measured           |NaN|4|4
            virtual thread's sleep            |PRICE|VirtualThread.sleep    |stock  |measured           |NaN|4|4
            virtual thread's start and end    |PRICE|VirtualThread.startAndEnd|stock  |measured           |NaN|NaN|NaN
            virtual thread's own time         |PRICE|VirtualThread.readItself|library|measured           |NaN|4|4
            OpenTelemetry span with a scope   |EXTRA|OneSpan.span           |stock  |measured            |2000|2000|2000
            OpenTelemetry span's further scope|EXTRA|OneSpan.furtherScope   |stock  |measured            |2000|2000|2000
            a server's request with a span    |EXTRA|OneSpan.request        |stock  |measured            |NaN|NaN|NaN
            """);

    enum Form {
        GAIN,
        PRICE,
        EXTRA
    }

    private static List<Comparison> parse(String table) {
        return table.lines()
                .map(line -> line.split(" *\\| *"))
                .flatMap(Comparison::parse)
                .toList();
    }

    private static Stream<Comparison> parse(String... row) {
        double[] bounds =
                Stream.of(row).skip(5).mapToDouble(Double::parseDouble).toArray();
        return Stream.of(row[4].split(","))
                .map(clock -> new Comparison(row[0], Form.valueOf(row[1]), row[2], row[3], clock, bounds));
    }

    /** The clocks that are compared of a benchmark; where none are, the one that it has. */
    static List<String> clocks(String benchmark) {
        List<String> clocks = ALL.stream()
                .filter(each -> each.benchmark.equals(benchmark))
                .flatMap(each -> Stream.of(each.stock, each.other))
                .distinct()
                .toList();
        return clocks.isEmpty() ? List.of(benchmark.contains("library") ? "library" : "stock") : clocks;
    }

    /** The median of the rounds, each compared within itself; NaN if a contender was not measured. */
    double measured(Jdk jdk, Forks forks) {
        double[] stockNs = forks.roundsNs(jdk, benchmark, stock);
        double[] otherNs = forks.roundsNs(jdk, benchmark, other);
        return median(IntStream.range(0, Math.min(stockNs.length, otherNs.length))
                .mapToDouble(round -> compare(stockNs[round], otherNs[round]))
                .toArray());
    }

    private double compare(double stockNs, double otherNs) {
        return form == Form.GAIN ? stockNs / otherNs : form == Form.PRICE ? otherNs / stockNs : otherNs - stockNs;
    }

    static double median(double... values) {
        return new Median().evaluate(values);
    }

    /** NaN where nothing is promised, or nothing was measured. */
    Promise promise(Jdk jdk, Forks forks) {
        String pair = form == Form.GAIN ? stock + " ÷ " + other : other + (form == Form.PRICE ? " ÷ " : " − ") + stock;
        Sense sense = form == Form.GAIN ? Sense.AT_LEAST : Sense.AT_MOST;
        double promised = bounds[jdk.feature() >= FROM[2] ? 2 : jdk.feature() >= FROM[1] ? 1 : 0];
        return new Promise("JDK " + jdk.version() + ": " + call + ", " + pair, measured(jdk, forks), sense, promised);
    }

    /** All that was measured, by the medians of the rounds. */
    static void printTable(List<Jdk> jdks, Forks forks) {
        System.out.printf("%n" + ROW, "one call, ns", "stock", "other", "compared", "promised");
        for (Comparison each : ALL) {
            for (Jdk jdk : jdks) {
                Promise promise = each.promise(jdk, forks);
                if (!Double.isNaN(promise.measured())) {
                    String stockNs = Promise.figure(median(forks.roundsNs(jdk, each.benchmark, each.stock)));
                    String otherNs = Promise.figure(median(forks.roundsNs(jdk, each.benchmark, each.other)));
                    String measured = Promise.figure(promise.measured());
                    System.out.printf(ROW, promise.name(), stockNs, otherNs, measured, promise.boundText());
                }
            }
        }
        System.out.println();
    }
}
