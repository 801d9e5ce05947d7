// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.harness.Spread;
import io.threadclock.lab.question.CentreInterval;
import io.threadclock.lab.results.Series;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a benchmark asks, in words.
 *
 * @param explanation what one has to know to read its figures
 * @param parameter what a parameter counts, for instance {@code threads}
 * @param baselines what its contenders are compared with
 */
record Question(String benchmark, String title, String explanation, String parameter, List<Baseline> baselines) {
    private static final String THREADS = "threads";

    /** Its rounds are many and short: their centre is what was asked for, and their extremes say little. */
    private static final String SCATTERED = "engine.cost";

    /** In the order of the page: first what a user decides by. */
    static final List<Question> KNOWN = List.of(
            new Question(
                    "engine.cost",
                    "What it costs an engine to attribute CPU time",
                    "A QuestDB program reads the clock before and after each unit of its work: what that takes of its "
                            + "throughput, and adds to its CPU time, against reading none in the same round.",
                    THREADS,
                    List.of()),
            new Question(
                    "engine.throughput",
                    "The engine's throughput",
                    "Units of work a second. \"off\" reads no clock.",
                    THREADS,
                    List.of()),
            new Question("engine.cpu", "The engine's CPU time for a unit of work", "", THREADS, List.of()),
            new Question(
                    "engine.latency",
                    "The engine's latency",
                    "Wall time from the start of a unit to its end.",
                    THREADS,
                    List.of(Baseline.OFF)),
            new Question(
                    "loop",
                    "One call through ThreadMXBean, plain loop",
                    "One thread asks for its own time as fast as it can. \"empty\" and \"nanoTime\" are the same "
                            + "loop around a static method that does nothing, and around System.nanoTime().",
                    THREADS,
                    List.of(Baseline.STOCK)),
            new Question(
                    "jmh.average",
                    "One read, average time (JMH)",
                    "Time of many reads ÷ their number, on one thread. Nothing is timed in between, so this is what "
                            + "a read itself costs.",
                    THREADS,
                    List.of(Baseline.STOCK, Baseline.COUNTER)),
            new Question(
                    "jmh.sample",
                    "One read, sampled (JMH)",
                    "Each sample is one read between two looks at System.nanoTime(), whose own cost, the row "
                            + "\"empty\", is in it: good for tails, not for what a cheap read costs.",
                    THREADS,
                    List.of(Baseline.STOCK)),
            new Question(
                    "jmh.threads",
                    "One read, by number of threads that read (JMH)",
                    "Average time of a thread's read while others read as well. From as many threads as CPUs on, "
                            + "they share them.",
                    THREADS,
                    List.of(Baseline.STOCK)),
            new Question(
                    "jmh.nesting",
                    "Stopwatches within stopwatches (JMH)",
                    "ns of one start + stop, with so many of them nested.",
                    "levels",
                    List.of()),
            new Question(
                    "jmh.allocation",
                    "Memory allocated by a read (JMH)",
                    "Bytes of heap a read. It has to be 0 on every path; a few hundredths are JMH's own.",
                    THREADS,
                    List.of()),
            new Question(
                    "latency",
                    "One call through ThreadMXBean on many threads at once",
                    "Wall ns between two System.nanoTime() around the call; the timer's own cost is in each.",
                    THREADS,
                    List.of(Baseline.STOCK)),
            new Question(
                    "by-id",
                    "Another thread by its id",
                    "Through ThreadMXBean, plain loop.",
                    THREADS,
                    List.of(Baseline.STOCK)),
            new Question(
                    "array",
                    "Many threads in one call",
                    "Through ThreadMXBean; ns for each thread. Before each call one thread in 50 runs a little; the "
                            + "others are parked.",
                    THREADS,
                    List.of(Baseline.STOCK)),
            new Question(
                    "snapshot",
                    "A snapshot of all threads",
                    "ThreadTimes.snapshot(), by the number of threads of the JVM.",
                    THREADS,
                    List.of()),
            new Question(
                    "native",
                    "One read in C",
                    "What the clocks cost without a JVM. Asleep and busy: another thread of the process, read by its "
                            + "tid.",
                    THREADS,
                    List.of(Baseline.COUNTER)),
            new Question(
                    "lifecycle",
                    "With the agent, but without asking it",
                    "What a program pays that has the agent and reads no time.",
                    THREADS,
                    List.of(Baseline.TIMES_STOCK)),
            new Question(
                    "attach",
                    "Attaching to a running JVM",
                    "Each time to a new JVM that has not used ThreadMXBean.",
                    THREADS,
                    List.of()),
            new Question(
                    "memory",
                    "Memory",
                    "From /proc/PID/smaps, the same JVM without the agent taken off.",
                    "reading threads",
                    List.of()));

    /** Of a benchmark that this page does not know. */
    static Question unknown(String benchmark) {
        return new Question(benchmark, benchmark, "", THREADS, List.of(Baseline.STOCK));
    }

    static Question of(String benchmark) {
        return KNOWN.stream()
                .filter(question -> question.benchmark().equals(benchmark))
                .findFirst()
                .orElseGet(() -> unknown(benchmark));
    }

    /** Known ones in the order of the page, then the others in their own. */
    static List<Question> inOrder(Set<String> benchmarks) {
        Stream<String> known = KNOWN.stream().map(Question::benchmark).filter(benchmarks::contains);
        return Stream.concat(known, benchmarks.stream())
                .distinct()
                .map(Question::of)
                .toList();
    }

    /** Median, least and greatest of the rounds or, of many short ones, their centre and its interval. */
    Spread summary(Series series) {
        return isScattered() ? CentreInterval.of(series.rounds()).toSpread() : series.spread();
    }

    String middleTitle() {
        return isScattered() ? "centre" : "median";
    }

    String rangeTitle() {
        return isScattered() ? "95 %" : "least–most";
    }

    private boolean isScattered() {
        return benchmark.equals(SCATTERED);
    }

    /** 1,000 threads; 1 thread. */
    String counted(double count) {
        String noun = count == 1 ? parameter.replaceFirst("s$", "") : parameter;
        return Amount.parameter(count) + " " + noun;
    }

    /** Of its place on the page. */
    String anchor() {
        return "b-" + benchmark.replaceAll("[^A-Za-z0-9]+", "-");
    }
}
