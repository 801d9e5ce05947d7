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
    private static final String CPU_TIME = "CPU time";
    private static final int LAST_WITH_PROC = 25;

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
            addCallRow(jdk, USER_TIME);
            addCallRow(jdk, CPU_TIME);
        }
        jdks(Benchmarks.JMH_AVERAGE).forEach(this::addLibraryRow);
        Latency.all(results).forEach(this::addRow);
        jdks(Benchmarks.ARRAY).forEach(this::addArrayRow);
        return table;
    }

    /** Five rows at most: the newest JDK that parses /proc in each way, and what a newer one does in its place. */
    TextTable forReadme() {
        List<String> all = jdks(Benchmarks.LOOP);
        String newest = all.get(all.size() - 1);
        String jdk = all.stream()
                .filter(each -> Jdk.featureOf(each) <= LAST_WITH_PROC)
                .reduce((older, newer) -> newer)
                .orElse(newest);
        addCallRow(jdk, USER_TIME);
        if (!newest.equals(jdk)) {
            addCallRow(newest, USER_TIME);
        }
        addCallRow(jdk, CPU_TIME);
        Latency.all(results).stream().filter(each -> each.jdk().equals(jdk)).forEach(this::addRow);
        jdks(Benchmarks.ARRAY).stream().filter(jdk::equals).forEach(this::addArrayRow);
        return table;
    }

    private List<String> jdks(String benchmark) {
        return results.each(benchmark, Subject::jdk);
    }

    private Contest contest(String benchmark, String jdk, String quantity, Double parameter) {
        return new Contest(results, benchmark, jdk, quantity, parameter);
    }

    private void addCallRow(String jdk, String quantity) {
        String call = quantity.equals(USER_TIME) ? "`getCurrentThreadUserTime()`" : "`getCurrentThreadCpuTime()`";
        addRow(contest(Benchmarks.LOOP, jdk, quantity, null), Contest.THREADCLOCK, call);
    }

    private void addArrayRow(String jdk) {
        String name = "user time of 1,000 threads in one call, per thread";
        addRow(contest(Benchmarks.ARRAY, jdk, USER_TIME, ARRAY), Contest.ATTACHED, name);
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
