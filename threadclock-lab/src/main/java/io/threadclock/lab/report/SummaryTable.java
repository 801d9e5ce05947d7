// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static io.threadclock.lab.report.Table.number;
import static io.threadclock.lab.report.Table.words;

import io.threadclock.harness.Jdk;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.util.List;
import java.util.Optional;

/** The costs by which one decides: a call, stock and with threadclock. */
final class SummaryTable {
    private static final double MANY_THREADS = 1000;
    private static final String USER_TIME = "user time";
    private static final String CPU_TIME = "CPU time";

    private final Results results;
    private final Table table =
            new Table("", words("one call, ns"), number("stock"), number("threadclock"), number("ratio"));

    SummaryTable(Results results) {
        this.results = results;
    }

    Table ofAll() {
        for (String jdk : results.each(Benchmarks.LOOP, Subject::jdk)) {
            addCall(jdk, USER_TIME);
            addCall(jdk, CPU_TIME);
        }
        results.each(Benchmarks.JMH_AVERAGE, Subject::jdk).forEach(this::addLibrary);
        Latency.all(results).forEach(this::addLatency);
        results.each(Benchmarks.ARRAY, Subject::jdk).forEach(this::addArray);
        return table;
    }

    /** Five rows at most: the newest JDK that parses /proc in each way, and what a newer one does in its place. */
    Table forReadme() {
        List<String> all = results.each(Benchmarks.LOOP, Subject::jdk);
        String newest = all.get(all.size() - 1);
        String jdk = newestWithProc(all).orElse(newest);
        addCall(jdk, USER_TIME);
        if (!newest.equals(jdk)) {
            addCall(newest, USER_TIME);
        }
        addCall(jdk, CPU_TIME);
        Latency.all(results).stream().filter(each -> each.jdk().equals(jdk)).forEach(this::addLatency);
        addArray(jdk);
        return table;
    }

    static Optional<String> newestWithProc(List<String> jdks) {
        return jdks.stream().filter(Goals::parsesProc).reduce((older, newer) -> newer);
    }

    private void addCall(String jdk, String quantity) {
        String call = quantity.equals(USER_TIME) ? "`getCurrentThreadUserTime()`" : "`getCurrentThreadCpuTime()`";
        add(call, new Contest(results, Benchmarks.LOOP, jdk, quantity), Contest.THREADCLOCK);
    }

    private void addArray(String jdk) {
        Contest array = new Contest(results, Benchmarks.ARRAY, jdk, USER_TIME, MANY_THREADS);
        add("user time of 1,000 threads in one call, per thread", array, Contest.ATTACHED);
    }

    private void add(String name, Contest contest, String contender) {
        if (contest.has(Contest.STOCK) && contest.has(contender)) {
            add(contest.jdk(), name, contest.of(Contest.STOCK), contest.of(contender));
        }
    }

    /** Uses the binding that the library chooses by itself there. */
    private void addLibrary(String jdk) {
        Optional<Measurement> stock = average(jdk, "stock user time");
        Optional<Measurement> library =
                average(jdk, "library FFM user time").or(() -> average(jdk, "library JNI user time"));
        if (stock.isPresent() && library.isPresent()) {
            String binding = library.get().subject().contender().split(" ")[1];
            add(jdk, "`ThreadClock.userTimeNs()` (" + binding + ")", stock.get(), library.get());
        }
    }

    private Optional<Measurement> average(String jdk, String contender) {
        return results.find(Benchmarks.JMH_AVERAGE, jdk, contender);
    }

    private void add(String jdk, String name, Measurement stock, Measurement threadclock) {
        table.row(
                "JDK " + Jdk.featureOf(jdk) + ", " + name,
                Figure.ns(stock.spread().median()),
                Figure.ns(threadclock.spread().median()),
                Figure.ratio(stock.ratioTo(threadclock).median()));
    }

    private void addLatency(Latency latency) {
        table.row(
                "JDK " + Jdk.featureOf(latency.jdk()) + ", user time on " + Figure.count((long) latency.threads())
                        + " threads at once, mean",
                Figure.ns(latency.meanLessTimer(Contest.STOCK, USER_TIME).median()),
                Figure.ns(latency.meanLessTimer(Contest.THREADCLOCK, USER_TIME).median()),
                Figure.ratio(latency.gainAtMean(USER_TIME).median()));
    }
}
