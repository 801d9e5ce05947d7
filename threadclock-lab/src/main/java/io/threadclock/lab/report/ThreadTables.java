// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static io.threadclock.lab.report.Table.number;
import static io.threadclock.lab.report.Table.words;

import io.threadclock.lab.program.ManyVirtualThreads;
import io.threadclock.lab.program.TimesOfMany;
import io.threadclock.lab.question.Footprint.MemoryParts;
import io.threadclock.lab.question.ThreadLives;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.util.List;
import java.util.function.Function;

/** The tables of the cost of reading other threads' times, and of the cost for a program that reads none. */
record ThreadTables(Results results) {
    private static final String USER_TIME = "user time, ";
    private static final String CPU_TIME = "CPU time, ";

    /** The kinds of work of the other thread, which is read by its id. */
    static List<String> neighbours(Results results) {
        return results.each(Benchmarks.BY_ID, Subject::quantity).stream()
                .filter(quantity -> quantity.startsWith(USER_TIME))
                .map(quantity -> quantity.substring(USER_TIME.length()))
                .toList();
    }

    Table byId() {
        Table table = table(
                "Another thread by its id, through ThreadMXBean, plain loop: median (least–most)",
                words("that thread is"),
                "ns");
        for (String jdk : results.each(Benchmarks.BY_ID, Subject::jdk)) {
            for (String neighbour : neighbours(results)) {
                addRows(
                        table,
                        neighbour,
                        Benchmarks.BY_ID,
                        contestOf -> new Contest(results, Benchmarks.BY_ID, jdk, contestOf + ", " + neighbour));
            }
        }
        return table;
    }

    Table array() {
        Table table = table("Many threads in one call: median (least–most)", number("threads"), "ns a thread");
        for (String jdk : results.each(Benchmarks.ARRAY, Subject::jdk)) {
            for (double threads : results.each(Benchmarks.ARRAY, Subject::parameter)) {
                addRows(
                        table,
                        Figure.count((long) threads),
                        Benchmarks.ARRAY,
                        quantity -> new Contest(results, Benchmarks.ARRAY, jdk, quantity, threads));
            }
        }
        return table.note("Before each call one thread in " + TimesOfMany.ONE_RUNS_IN
                + " runs a little, at least one; the others are parked. Only the calls are timed.");
    }

    private static Table table(String title, Table.Column of, String unit) {
        return new Table(
                title,
                words("JDK"),
                of,
                words("clock"),
                number(USER_TIME + unit),
                number("stock ÷ this"),
                number(CPU_TIME + unit),
                number("stock ÷ this"));
    }

    /** One for each way in which the clock has come into the JVM. */
    private void addRows(Table table, String of, String benchmark, Function<String, Contest> contestOf) {
        Contest user = contestOf.apply("user time");
        Contest cpu = contestOf.apply("CPU time");
        for (String loading : results.each(benchmark, Subject::contender)) {
            table.row(
                    user.jdk(),
                    of,
                    loading,
                    Figure.nsOf(user, loading),
                    Figure.gainOf(user, loading),
                    Figure.nsOf(cpu, loading),
                    Figure.gainOf(cpu, loading));
        }
    }

    /** The cost of the agent for a program that reads no times. */
    Table presence() {
        Table table = new Table(
                "With the agent, but without asking it: median (least–most)",
                words("JDK"),
                words("ns"),
                number("stock"),
                number("-agentpath"),
                number("÷ stock"),
                number("attached"),
                number("÷ stock"));
        for (Contest contest : contests(Benchmarks.LIFECYCLE)) {
            table.row(
                    contest.jdk(),
                    withRounds(contest),
                    Figure.nsOf(contest, Contest.STOCK),
                    Figure.nsOf(contest, Contest.AGENTPATH),
                    Figure.timesStock(contest, Contest.AGENTPATH),
                    Figure.nsOf(contest, Contest.ATTACHED),
                    Figure.timesStock(contest, Contest.ATTACHED));
        }
        return table.note("Rounds in turn, ratios within a round. Threads are started and joined one after the other, "
                + "and end at once. On JDK 21 and newer anything loaded by -agentpath slows virtual threads "
                + "(docs/agent.md).");
    }

    Table virtual() {
        Table table = new Table(
                "Virtual threads, without and with CPU times of their own: median (least–most)",
                words("JDK"),
                words("of one"),
                words("threads"),
                number("ns"),
                number("÷ stock"));
        for (Contest contest : contests(Benchmarks.VIRTUAL)) {
            for (String contender : results.each(Benchmarks.VIRTUAL, Subject::contender)) {
                if (contest.has(contender)) {
                    table.row(
                            contest.jdk(),
                            withRounds(contest),
                            contender,
                            Figure.nsOf(contest, contender),
                            Figure.timesStock(contest, contender));
                }
            }
        }
        return table.note(
                "One carrier, in turn, ratios within a round. Stock and accounted threads take turns in one JVM. The others "
                        + "have a JVM each: one whose agent has the option virtual; one that threadclock run --virtual has started, "
                        + "where JVMTI costs nothing more (which it no longer does on JDK 24 and 25, where its options can hang "
                        + "virtual threads); and one in which a JVMTI agent reads the carrier's CPU clock when a thread "
                        + "is mounted and unmounted, and adds the difference to what the thread has used. Readings are beside those of "
                        + "a platform thread.");
    }

    /** Each quantity of many virtual threads on each JDK. */
    List<Contest> manyVirtual() {
        return results.each(
                Benchmarks.VIRTUAL_MANY,
                subject -> new Contest(
                        results, subject.benchmark(), subject.jdk(), subject.quantity(), subject.parameter()));
    }

    Table many() {
        Table table = new Table(
                "Very many virtual threads at once: median (least–most)",
                words("JDK"),
                number("threads"),
                words("they are"),
                number("stock"),
                number("accounted"),
                number("− stock"),
                number("÷ stock"));
        for (Contest contest : manyVirtual()) {
            table.row(
                    contest.jdk(),
                    Figure.count(contest.parameter().longValue()),
                    contest.quantity(),
                    Figure.nsOf(contest, Contest.STOCK),
                    Figure.nsOf(contest, Contest.ACCOUNTED),
                    Figure.spread(contest.beyondStock(Contest.ACCOUNTED), Figure::ns),
                    contest.quantity().equals(ThreadLives.HEAP_ENDED)
                            ? ""
                            : Figure.timesStock(contest, Contest.ACCOUNTED));
        }
        return table.note(
                "In one JVM, with as many carriers as there are CPUs. The heap is what a full collection leaves, "
                        + "less what it left before the threads were made; the snapshot is ThreadsSnapshot.take("
                        + ManyVirtualThreads.MOST_CPU_TIME + ").");
    }

    Table spans() {
        Table table = new Table(
                "Spans and scopes under OpenTelemetry's agent, ns: median (least–most)",
                words("JDK"),
                words("of one"),
                number("not measured"),
                number("measured"),
                number("− not measured"));
        for (Contest contest : contests(Benchmarks.SPANS)) {
            table.row(
                    contest.jdk(),
                    withRounds(contest),
                    Figure.nsOf(contest, Contest.STOCK),
                    Figure.nsOf(contest, Contest.THREADCLOCK),
                    Figure.spread(contest.beyondStock(Contest.THREADCLOCK), Figure::ns));
        }
        return table.note("Two JVMs in turn, both with the extension, which is switched off in one; no exporter.");
    }

    private List<Contest> contests(String benchmark) {
        return results.each(benchmark, subject -> new Contest(results, benchmark, subject.jdk(), subject.quantity()));
    }

    private static String withRounds(Contest contest) {
        return contest.quantity()
                + contest.find(Contest.STOCK)
                        .map(stock -> ", " + stock.rounds().size() + " rounds")
                        .orElse("");
    }

    Table attach() {
        double most = mostThreads(results);
        String many = Figure.count((long) most) + " threads";
        Table table = new Table(
                "Attaching: median (least–most)",
                words("JDK"),
                number("few threads, ms"),
                number(many + ", ms"),
                number(many + ", by the command, ms"));
        for (String jdk : results.each(Benchmarks.ATTACH, Subject::jdk)) {
            table.row(
                    jdk,
                    Figure.nsOf(attaching(results, jdk, 0), Contest.ATTACHED),
                    Figure.nsOf(attaching(results, jdk, most), Contest.ATTACHED),
                    Figure.nsOf(attaching(results, jdk, most), "attach command"));
        }
        return table.note("Each time to a new JVM that has not used ThreadMXBean. The first two from when the JVM had "
                + "accepted the client; the command counts that too.");
    }

    static Contest attaching(Results results, String jdk, double threads) {
        return new Contest(results, Benchmarks.ATTACH, jdk, "attaching", threads);
    }

    static double mostThreads(Results results) {
        return results.each(Benchmarks.ATTACH, Subject::parameter).stream()
                .mapToDouble(threads -> threads)
                .max()
                .orElse(0);
    }

    Table memory() {
        Memory memory = Memory.of(results);
        Table table = new Table(
                "Memory",
                words("memory, bytes"),
                number(Figure.count((long) memory.few()) + " reading thread"),
                number(Figure.count((long) memory.many()) + " reading threads"));
        MemoryParts.OWN.forEach(part -> table.row(
                part, Figure.count(memory.bytes(part, memory.few())), Figure.count(memory.bytes(part, memory.many()))));
        table.row(
                "together", Figure.count(memory.ownBytes(memory.few())), Figure.count(memory.ownBytes(memory.many())));
        return table.note("A further thread takes " + Figure.ns(memory.bytesPerThread()) + " bytes. "
                        + memory.runtime()
                        + "; from /proc/PID/smaps, the same JVM without the agent taken off; whole pages.")
                .note("Besides, " + Figure.count(memory.bytes(MemoryParts.FILE, memory.few()))
                        + " bytes of the library's file are mapped unchanged: the page cache's, and shared by all "
                        + "processes.");
    }

    /** The memory that the library takes, by the number of threads that read. */
    record Memory(Results results, String jdk, List<Double> threads) {
        static Memory of(Results results) {
            List<String> jdks = results.each(Benchmarks.MEMORY, subject -> subject.jdk());
            return new Memory(
                    results,
                    jdks.isEmpty() ? "" : jdks.get(0),
                    results.each(Benchmarks.MEMORY, subject -> subject.parameter()));
        }

        double few() {
            return threads.get(0);
        }

        double many() {
            return threads.get(threads.size() - 1);
        }

        long bytes(String part, double readingThreads) {
            Contest contest = new Contest(results, Benchmarks.MEMORY, jdk, part, readingThreads);
            return contest.find(Contest.THREADCLOCK)
                    .map(series -> (long) series.spread().median())
                    .orElse(0L);
        }

        /** The bytes that the process would not use without the library. */
        long ownBytes(double readingThreads) {
            return MemoryParts.OWN.stream()
                    .mapToLong(part -> bytes(part, readingThreads))
                    .sum();
        }

        double bytesPerThread() {
            return (ownBytes(many()) - ownBytes(few())) / (many() - few());
        }

        String runtime() {
            return results.origin().runtimes().stream()
                    .filter(each -> each.version().equals(jdk))
                    .findFirst()
                    .map(each -> "Source " + each.source() + ", on " + each)
                    .orElse("On JDK " + jdk);
        }
    }
}
