// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.ThreadClock;
import io.threadclock.cli.attach.SourceNames;
import io.threadclock.diagnostics.ClockBinding;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Spread;
import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.question.JmhTasks.JmhTask.Measure;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;

/** The tasks of one JDK. Benchmarks are named by text, because they are compiled after this code. */
record JmhTasks(Jdk jdk) {
    static final int OLDEST_WITH_FFM = 22;

    /** A class that a newer JDK finds in the library's jar, if it was built by one. */
    private static final String FFM_CLASS =
            "/META-INF/versions/" + OLDEST_WITH_FFM + "/io/threadclock/CallingThread.class";

    private static final List<String> READ_PATHS =
            List.of("cpuTimeNs", "userTimeNs", "systemTimeNs", "readIntoHolder", "stopwatchStartStop", "stopwatchLap");

    private static final String ONE_READ = "one read";
    private static final String USER_TIME = "user time";
    private static final String CPU_TIME = "CPU time";
    private static final String MX_BEAN_USER_TIME = "threadMXBeanUserTime";
    private static final String MX_BEAN_CPU_TIME = "threadMXBeanCpuTime";

    /** The cost of measuring itself. */
    private static final Read EMPTY = new Read("empty", ONE_READ, "empty", Contender.STOCK);

    private static final Read STOCK_USER_TIME =
            new Read("stock user time", USER_TIME, MX_BEAN_USER_TIME, Contender.STOCK);
    private static final Read AGENT_USER_TIME =
            new Read("threadclock user time", USER_TIME, MX_BEAN_USER_TIME, Contender.THREADCLOCK);

    /**
     * A way to read.
     *
     * @param title as results.json names it
     * @param method of the benchmark OneRead
     */
    private record Read(String title, String quantity, String method, Contender contender) {}

    static boolean hasFfm() {
        return ThreadClock.class.getResource(FFM_CLASS) != null;
    }

    /** The cost of one read, in every way to read. */
    List<JmhTask> reads(boolean byAll) {
        Stream<Read> rest =
                byAll ? Stream.of(part(usualBinding(), "libraryPartWithBytes", " part with bytes")) : Stream.of();
        return Stream.concat(all(), rest)
                .map(read -> task(Benchmarks.JMH_AVERAGE, read, Measure.MEAN_TIME, 1, null))
                .toList();
    }

    /** The distribution of the cost. */
    List<JmhTask> samples(boolean byAll, int threads) {
        return (byAll ? all() : Stream.concat(Stream.of(EMPTY), choices()))
                .map(read -> task(Benchmarks.JMH_SAMPLE, read, Measure.TIME_OF_SAMPLES, threads, (double) threads))
                .toList();
    }

    /** The growth of the cost with the number of threads that read at once. */
    List<JmhTask> growth(List<Integer> numbersOfThreads) {
        return numbersOfThreads.stream()
                .flatMap(threads -> choices()
                        .map(read -> task(Benchmarks.JMH_THREADS, read, Measure.MEAN_TIME, threads, (double) threads)))
                .toList();
    }

    /** The cost of a stopwatch within others. */
    List<JmhTask> nesting(List<Integer> depths) {
        Read stopwatch = stopwatch(usualBinding());
        return depths.stream()
                .map(depth -> new JmhTask(
                        new Subject(
                                Benchmarks.JMH_NESTING, jdk.version(), stopwatch.title(), stopwatch.quantity(), (double)
                                        depth),
                        Measure.MEAN_TIME,
                        "StopwatchNesting.libraryStopwatches",
                        stopwatch.contender(),
                        1,
                        depth))
                .toList();
    }

    /** Allocations of the library's read paths, and of the control, which allocates. */
    List<JmhTask> allocations(boolean byAllBindings) {
        List<JmhTask> tasks = new ArrayList<>();
        for (ClockBinding binding : byAllBindings ? bindings() : List.of(usualBinding())) {
            READ_PATHS.forEach(path -> tasks.add(allocation(binding, path)));
        }
        tasks.add(allocation(usualBinding(), AllocationCheck.CONTROL));
        return tasks;
    }

    private JmhTask allocation(ClockBinding binding, String path) {
        Contender library = Contender.library(binding);
        Subject subject = new Subject(Benchmarks.JMH_ALLOCATION, jdk.version(), library.title(), path, null);
        return new JmhTask(subject, Measure.ALLOCATION, "ReadAllocation." + path, library, 1, 1);
    }

    private JmhTask task(String benchmark, Read read, Measure measure, int threads, Double parameter) {
        Subject subject = new Subject(benchmark, jdk.version(), read.title(), read.quantity(), parameter);
        return new JmhTask(subject, measure, "OneRead." + read.method(), read.contender(), threads, 1);
    }

    /** All ways to read on this JDK. */
    private Stream<Read> all() {
        Stream<Read> bare = Stream.of(
                EMPTY,
                new Read("empty JNI call", ONE_READ, "emptyJniCall", Contender.STOCK),
                new Read("rdtsc", ONE_READ, "rdtsc", Contender.STOCK),
                new Read("rdtsc as user time", ONE_READ, "rdtscAsUserTime", Contender.STOCK),
                new Read("System.nanoTime", ONE_READ, "systemNanoTime", Contender.STOCK),
                new Read("PID-0 clock id", USER_TIME, "pid0ClockId", Contender.STOCK),
                new Read("own-tid clock id", USER_TIME, "ownTidClockId", Contender.STOCK),
                STOCK_USER_TIME,
                new Read("stock CPU time", CPU_TIME, MX_BEAN_CPU_TIME, Contender.STOCK),
                AGENT_USER_TIME,
                new Read("threadclock CPU time", CPU_TIME, MX_BEAN_CPU_TIME, Contender.THREADCLOCK));
        Stream<Read> sources = Stream.of(
                        SourceNames.PERF, SourceNames.RSEQ, SourceNames.CLOCK, SourceNames.TICKS, SourceNames.PROC)
                .map(Contender::source)
                .map(source -> new Read(source.title(), USER_TIME, MX_BEAN_USER_TIME, source));
        Stream<Read> library = Stream.concat(
                bindings().stream().map(JmhTasks::userTime), bindings().stream().map(JmhTasks::stopwatch));
        return Stream.of(bare, sources, library, Stream.of(part(usualBinding(), "libraryPart", " part")))
                .flatMap(reads -> reads);
    }

    /** The ways that a program can choose on this JDK: the JDK's own, the agent's, the library's. */
    private Stream<Read> choices() {
        return Stream.of(STOCK_USER_TIME, AGENT_USER_TIME, userTime(usualBinding()));
    }

    private static Read userTime(ClockBinding binding) {
        Contender library = Contender.library(binding);
        return new Read(library.title() + " user time", USER_TIME, "libraryUserTime", library);
    }

    private static Read stopwatch(ClockBinding binding) {
        Contender library = Contender.library(binding);
        return new Read(library.title() + " stopwatch", "start + stop", "libraryStopwatch", library);
    }

    /** A part of an account, which is one for all threads. */
    private static Read part(ClockBinding binding, String method, String title) {
        Contender library = Contender.library(binding);
        return new Read(library.title() + title, "enter + close", method, library);
    }

    /** JNI comes first; the last one is the one that a program gets. */
    private List<ClockBinding> bindings() {
        return jdk.feature() >= OLDEST_WITH_FFM && hasFfm()
                ? List.of(ClockBinding.JNI, ClockBinding.FFM)
                : List.of(ClockBinding.JNI);
    }

    private ClockBinding usualBinding() {
        return bindings().get(bindings().size() - 1);
    }

    /**
     * One figure to be measured.
     *
     * @param benchmark class and method, as in {@code OneRead.rdtsc}
     * @param depth of nesting: for a benchmark that has this parameter, else 1; the score is of all of them
     */
    record JmhTask(Subject subject, Measure measure, String benchmark, Contender contender, int threads, int depth) {
        private static final String NESTING = "StopwatchNesting.";

        /** The measure that JMH takes. */
        enum Measure {
            MEAN_TIME(Mode.AverageTime),
            TIME_OF_SAMPLES(Mode.SampleTime),
            ALLOCATION(Mode.AverageTime);

            private final Mode mode;

            Measure(Mode mode) {
                this.mode = mode;
            }

            Mode mode() {
                return mode;
            }
        }

        /**
         * The time of one operation: the median of the means of all threads. If there are more threads than CPUs, their
         * mean depends on the thread that hardly ran, and the total on the one that began last and seems fast.
         */
        double ns(double... scores) {
            return Spread.of(scores).median() / depth;
        }

        /** The text for the progress line. */
        String label() {
            String parameter = subject.parameter() == null
                    ? ""
                    : ", " + subject.parameter().intValue();
            return subject.contender() + ", " + subject.quantity() + parameter;
        }

        boolean isControl() {
            return subject.quantity().equals(AllocationCheck.CONTROL);
        }

        boolean isNested() {
            return benchmark.startsWith(NESTING);
        }
    }
}
