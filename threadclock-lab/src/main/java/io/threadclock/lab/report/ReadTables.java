// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static io.threadclock.lab.report.Table.number;
import static io.threadclock.lab.report.Table.words;

import io.threadclock.harness.Spread;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The tables of what a thread pays for reading its own times: in C, through ThreadMXBean and the library. */
record ReadTables(Results results) {
    private static final String USER_TIME = "user time";
    private static final String CPU_TIME = "CPU time";

    /** Each read in C, and how many times a bare look at the counter it takes. */
    Table inC() {
        Table table = new Table(
                "One read in C",
                words("read"),
                number("ns: median"),
                number("least"),
                number("most"),
                number("× bare counter"));
        NativeReads reads = new NativeReads(results);
        Optional<Measurement> counter = reads.find(NativeReads.COUNTER);
        for (Measurement read : reads.all()) {
            Spread ns = read.spread();
            table.row(
                    read.subject().contender(),
                    Figure.ns(ns.median()),
                    Figure.ns(ns.least()),
                    Figure.ns(ns.greatest()),
                    counter.map(each -> Figure.ratio(read.ratioTo(each).median()))
                            .orElse(""));
        }
        return table.note(reads.all().get(0).rounds().size()
                        + " rounds, one thread; in each round every contender runs for 4 ms in turn.")
                .note("Asleep and busy: another thread of the process, read by its tid.");
    }

    /** Plain loops on one thread: each clock's ns, and how many times faster than stock. */
    Table loop() {
        Table table = new Table(
                "One call through ThreadMXBean, one thread, plain loop: median (least–most)",
                words("JDK"),
                words("clock"),
                number("user time, ns"),
                number("stock ÷ this"),
                number("CPU time, ns"),
                number("stock ÷ this"));
        for (String jdk : results.each(Benchmarks.LOOP, Subject::jdk)) {
            Contest user = loop(jdk, USER_TIME);
            Contest cpu = loop(jdk, CPU_TIME);
            results.each(Benchmarks.LOOP, Subject::contender).stream()
                    .filter(user::has)
                    .forEach(clock -> table.row(
                            jdk,
                            withSource(clock, jdk),
                            Figure.nsOf(user, clock),
                            Figure.gainOf(user, clock),
                            Figure.nsOf(cpu, clock),
                            Figure.gainOf(cpu, clock)));
            Contest baselines = loop(jdk, "call");
            table.note("JDK " + jdk + ", in the same loop: a static Java method that does nothing "
                    + Figure.nsOf(baselines, "empty") + " ns, System.nanoTime() " + Figure.nsOf(baselines, "nanoTime")
                    + " ns; "
                    + user.find(Contest.STOCK)
                            .map(stock -> stock.rounds().size())
                            .orElse(0) + " rounds.");
        }
        return table;
    }

    private Contest loop(String jdk, String quantity) {
        return new Contest(results, Benchmarks.LOOP, jdk, quantity);
    }

    private String withSource(String clock, String jdk) {
        return results.origin().runtimes().stream()
                .filter(runtime ->
                        clock.equals(Contest.THREADCLOCK) && runtime.version().equals(jdk))
                .findFirst()
                .map(Origin.Runtime::source)
                .map(source -> clock + " (" + source + ")")
                .orElse(clock);
    }

    Table average() {
        return new ContenderTables(results, Benchmarks.JMH_AVERAGE)
                .byJdk("One call, by JMH, one thread, ns: median (least–most)", ns -> Figure.spread(ns, Figure::ns))
                .note("rdtsc and the clock ids are called through JNI, which is in their figures.");
    }

    Table allocation() {
        return new ContenderTables(results, Benchmarks.JMH_ALLOCATION)
                .byJdk("Allocated by one call, by JMH, bytes", bytes -> Figure.plain(bytes.least()))
                .note("The least of the rounds. JMH's own objects are divided among the calls.");
    }

    /** @param threads that read at once */
    Table samples(double threads) {
        List<Measurement> samples = results.distributions(Benchmarks.JMH_SAMPLE).stream()
                .filter(each -> each.subject().parameter() == threads)
                .toList();
        String title = "Single calls, sampled by JMH, ";
        Table table = threads == 1
                ? ContenderTables.percentiles(title + "one thread", samples, "ns")
                : ContenderTables.percentiles(title + Figure.count((long) threads) + " threads", samples, "µs");
        return table.note(
                "Each sample is between two looks at System.nanoTime(), which are in the figure; \"empty\" is these alone.");
    }

    /** Many threads: each call's wall time by percentiles, stock, threadclock, the ratio of the two, the timer alone. */
    Table latency() {
        List<Latency> latencies = Latency.all(results);
        List<Table.Column> columns =
                new ArrayList<>(List.of(words("JDK"), words("call"), words("clock"), number("calls"), number("mean")));
        Latency.PERCENTILES.forEach(percentile -> columns.add(number(Measurement.percentile(percentile))));
        columns.add(number("max"));
        Table table = new Table(
                "One call through ThreadMXBean on "
                        + Figure.count((long) latencies.get(0).threads())
                        + " threads at once: wall ns between two System.nanoTime()",
                columns);
        table.note("The timer's own cost is in every number; \"timer alone\" is the same with no call between.");
        for (Latency latency : latencies) {
            latency.addRows(table, USER_TIME);
            latency.addRows(table, CPU_TIME);
            latency.addTimer(table);
            table.note("JDK " + latency.jdk() + ", less the timer's own mean, median (least–most) of "
                    + latency.rounds() + " rounds: " + latency.lessTimer(USER_TIME) + "; "
                    + latency.lessTimer(CPU_TIME) + ".");
        }
        return table;
    }
}
