// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.TextTable;
import java.util.List;
import java.util.Optional;

/** The costs by which one decides: a call, stock and with threadclock. */
final class ShortTable {
    private static final double ARRAY = 1000;
    private static final String USER_TIME = "user time";

    private final Results results;
    private final TextTable table = new TextTable(
            TextTable.left("one call, ns"),
            TextTable.right("stock"),
            TextTable.right("threadclock"),
            TextTable.right("ratio"));

    ShortTable(Results results) {
        this.results = results;
    }

    TextTable table() {
        for (String jdk : jdks(Benchmarks.LOOP)) {
            addRow(contest(Benchmarks.LOOP, jdk, USER_TIME, null), Contest.THREADCLOCK, "`getCurrentThreadUserTime()`");
            addRow(contest(Benchmarks.LOOP, jdk, "CPU time", null), Contest.THREADCLOCK, "`getCurrentThreadCpuTime()`");
        }
        jdks(Benchmarks.JMH_AVERAGE).forEach(this::addLibraryRow);
        Latency.all(results).forEach(this::addRow);
        for (String jdk : jdks(Benchmarks.ARRAY)) {
            addRow(
                    contest(Benchmarks.ARRAY, jdk, USER_TIME, ARRAY),
                    Contest.ATTACHED,
                    "user time of 1,000 threads in one call, each");
        }
        return table;
    }

    private List<String> jdks(String benchmark) {
        return results.each(benchmark, Subject::jdk);
    }

    private Contest contest(String benchmark, String jdk, String quantity, Double parameter) {
        return new Contest(results, benchmark, jdk, quantity, parameter);
    }

    private void addRow(Contest contest, String contender, String name) {
        addRow(contest.jdk(), name, contest.of(Contest.STOCK), contest.of(contender));
    }

    /** By the binding that the library takes there by itself. */
    private void addLibraryRow(String jdk) {
        Optional<Series> stock = average(jdk, "stock user time");
        Optional<Series> library =
                average(jdk, "library FFM user time").or(() -> average(jdk, "library JNI user time"));
        if (stock.isPresent() && library.isPresent()) {
            String binding = library.get().subject().contender().split(" ")[1];
            addRow(jdk, "`ThreadClock.userTimeNs()` (" + binding + ")", stock.get(), library.get());
        }
    }

    private Optional<Series> average(String jdk, String contender) {
        return results.of(Benchmarks.JMH_AVERAGE).stream()
                .filter(series -> series.subject().jdk().equals(jdk))
                .filter(series -> series.subject().contender().equals(contender))
                .findFirst();
    }

    private void addRow(String jdk, String name, Series stock, Series threadclock) {
        table.row(
                "JDK " + Jdk.featureOf(jdk) + ", " + name,
                Figure.ns(stock.spread().median()),
                Figure.ns(threadclock.spread().median()),
                Figure.ratio(stock.ratioTo(threadclock).median()));
    }

    private void addRow(Latency latency) {
        table.row(
                "JDK " + Jdk.featureOf(latency.jdk()) + ", user time on " + Figure.count((long) latency.threads())
                        + " threads at once, mean",
                Figure.ns(latency.meanLessTimer(Contest.STOCK, USER_TIME).median()),
                Figure.ns(latency.meanLessTimer(Contest.THREADCLOCK, USER_TIME).median()),
                Figure.ratio(latency.gainAtMean(USER_TIME).median()));
    }
}
