// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmhrun;

import io.threadclock.ClockBinding;
import io.threadclock.lab.jmhrun.Task.Measure;
import io.threadclock.lab.results.Subject;
import io.threadclock.harness.Jdk;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What there is to measure on one JDK. The benchmarks are named: they are compiled after this code. */
final class Tasks {
    private static final List<String> READ_PATHS = List.of(
            "cpuTimeNs", "userTimeNs", "systemTimeNs", "readIntoHolder", "stopwatchStartStop", "stopwatchLap");

    private final Jdk jdk;

    Tasks(Jdk jdk) {
        this.jdk = jdk;
    }

    /** What one read costs, by all that can read. */
    List<Task> reads() {
        return Contender.on(jdk).stream()
                .map(contender -> Task.read("jmh.average", jdk.version(), contender, Measure.MEAN_TIME, 1, null))
                .toList();
    }

    /** How the cost is distributed. */
    List<Task> samples(boolean all, int threads) {
        return sampled(all).stream()
                .map(contender -> Task.read(
                        "jmh.sample", jdk.version(), contender, Measure.TIME_OF_SAMPLES, threads, (double) threads))
                .toList();
    }

    private List<Contender> sampled(boolean all) {
        return all
                ? Contender.on(jdk)
                : Stream.concat(Stream.of(Contender.EMPTY), Contender.choicesOn(jdk).stream()).toList();
    }

    /** How it grows with the number of threads that read at once. */
    List<Task> growth(List<Integer> numbersOfThreads) {
        List<Task> tasks = new ArrayList<>();
        for (int threads : numbersOfThreads) {
            for (Contender contender : Contender.choicesOn(jdk)) {
                tasks.add(Task.read(
                        "jmh.threads", jdk.version(), contender, Measure.MEAN_TIME, threads, (double) threads));
            }
        }
        return tasks;
    }

    /** What a stopwatch within others costs. */
    List<Task> nesting(List<Integer> depths) {
        Contender contender = Contender.libraryStopwatch(Library.usualBindingOn(jdk));
        return depths.stream().map(depth -> nested(contender, depth)).toList();
    }

    private Task nested(Contender contender, int depth) {
        Subject subject = new Subject(
                "jmh.nesting", jdk.version(), contender.title(), contender.quantity(), (double) depth);
        return new Task(
                subject, Measure.MEAN_TIME, "StopwatchNesting.libraryStopwatches", contender.clock(), 1, depth);
    }

    /** What the library's read paths allocate, and the control, which does. */
    List<Task> allocations(boolean byAllBindings) {
        ClockBinding usual = Library.usualBindingOn(jdk);
        List<Task> tasks = new ArrayList<>();
        for (ClockBinding binding : byAllBindings ? Library.bindingsOn(jdk) : List.of(usual)) {
            READ_PATHS.forEach(path -> tasks.add(allocation(binding, path)));
        }
        tasks.add(allocation(usual, AllocationCheck.CONTROL));
        return tasks;
    }

    private Task allocation(ClockBinding binding, String path) {
        Subject subject =
                new Subject(AllocationCheck.BENCHMARK, jdk.version(), "library " + binding, path, null);
        return new Task(subject, Measure.ALLOCATION, "ReadAllocation." + path, Clock.library(binding), 1, 1);
    }
}
