// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.Jdk;
import io.threadclock.lab.question.JmhTasks.JmhTask;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The measurements of JMH on each JDK, and their length. */
public record JmhPlan(
        Length average,
        Length sample,
        Length manyThreads,
        Length allocation,
        boolean thorough,
        List<Integer> growth,
        List<Integer> depths) {
    /** The number of threads in the benchmark by which the JDK's own change was judged. */
    private static final int MANY_THREADS = 16;

    private static final List<Integer> ALL_THREADS = List.of(1, 2, 4, 8, 16, 32, 64);
    private static final List<Integer> ALL_DEPTHS = List.of(1, 2, 4, 8, 16);

    /** Seven minutes on two JDKs. */
    public static JmhPlan full(int jdks) {
        return thorough(jdks, 3, 1000);
    }

    /** Five minutes on two JDKs: two forks instead of three. */
    public static JmhPlan usual(int jdks) {
        return thorough(jdks, 2, 500);
    }

    private static JmhPlan thorough(int jdks, int forks, int manyThreadsMs) {
        double factor = Plan.share(jdks);
        return new JmhPlan(
                new Length(forks, 4, 25, 3, 100).times(factor),
                // JMH takes at most 20 samples per ms and thread, and the 99.99th percentile needs many.
                new Length(forks, 4, 25, 1, 1000).times(factor),
                // Dozens of threads share two CPUs, and each must run many times.
                new Length(1, 2, 50, 1, manyThreadsMs).times(factor),
                new Length(1, 4, 25, 2, 200),
                true,
                ALL_THREADS,
                ALL_DEPTHS);
    }

    /** Under a minute on two JDKs: enough to see the orders of magnitude. */
    public static JmhPlan quick(int jdks) {
        double factor = Plan.share(jdks);
        return new JmhPlan(
                new Length(1, 4, 20, 2, 50).times(factor),
                new Length(1, 4, 20, 1, 150).times(factor),
                new Length(1, 2, 40, 1, 250).times(factor),
                new Length(1, 4, 20, 1, 100),
                false,
                List.of(1, 16),
                List.of(1, 16));
    }

    /** The approximate time; more on a busy machine. */
    public long seconds(List<Jdk> jdks) {
        long ms = jdks.stream()
                .flatMap(jdk -> parts(jdk).stream())
                .mapToLong(Part::ms)
                .sum();
        return TimeUnit.MILLISECONDS.toSeconds(ms);
    }

    List<Part> parts(Jdk jdk) {
        JmhTasks tasks = new JmhTasks(jdk);
        return List.of(
                new Part("one read", average, tasks.reads(thorough)),
                new Part("one read, sampled", sample, tasks.samples(thorough, 1)),
                new Part(MANY_THREADS + " threads, sampled", manyThreads, tasks.samples(thorough, MANY_THREADS)),
                new Part("growth by threads", manyThreads, tasks.growth(growth)),
                new Part("nested stopwatches", average, tasks.nesting(depths)),
                new Part("allocation", allocation, tasks.allocations(thorough)));
    }

    /**
     * How long each figure is measured.
     *
     * @param forks JVMs for each, one after the other; between two of them all others have their turn
     * @param warmups iterations at the beginning of each fork that do not count; several, because it takes some calls of
     *     the loop, not only turns of it, to have it compiled
     * @param iterations of each fork that count
     */
    record Length(int forks, int warmups, int warmupMs, int iterations, int iterationMs) {
        /** The time that a fork takes besides: JMH queries the JVM, starts it, and talks to it. */
        private static final int START_MS = 350;

        /** The time to make all threads begin and end together if there are more than CPUs. */
        private static final int GATHERING_MS_PER_THREAD = 30;

        /** Below this, the first and the last call matter. */
        private static final int SHORTEST_MS = 50;

        long ms(int threads) {
            long iterationsMs = (long) warmups * warmupMs + (long) iterations * iterationMs;
            return forks * (START_MS + iterationsMs + (long) GATHERING_MS_PER_THREAD * (threads - 1));
        }

        /** Reduces the forks if there are several, because each has a start that measures nothing. */
        Length times(double factor) {
            return forks > 1
                    ? new Length((int) Math.max(1, forks * factor), warmups, warmupMs, iterations, iterationMs)
                    : new Length(1, warmups, warmupMs, iterations, (int) Math.max(SHORTEST_MS, iterationMs * factor));
        }
    }

    /**
     * Results that are compared with one another, and therefore measured in turn.
     *
     * @param title for the progress line
     */
    record Part(String title, Length length, List<JmhTask> tasks) {
        Part {
            tasks = List.copyOf(tasks);
        }

        /** Every other round runs backward, so that no task is always before another. */
        List<JmhTask> inTurn(int round) {
            List<JmhTask> turn = new ArrayList<>(tasks);
            if (round % 2 == 1) {
                Collections.reverse(turn);
            }
            return turn;
        }

        long ms() {
            return tasks.stream().mapToLong(task -> length.ms(task.threads())).sum();
        }
    }
}
