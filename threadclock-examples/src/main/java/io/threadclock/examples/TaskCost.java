// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * Tells what a task costs that moves from thread to thread. CPU time belongs to one thread, so each part is measured
 * where it runs, and the cost of the task is their sum.
 *
 * <pre>java -cp threadclock-examples/target/threadclock-examples.jar io.threadclock.examples.TaskCost</pre>
 */
public final class TaskCost {
    private static final int THREADS = 3;

    private final LongAdder cpuNs = new LongAdder();
    private final LongAdder userNs = new LongAdder();

    private TaskCost() {}

    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        TaskCost task = new TaskCost();
        try {
            CompletableFuture<Long> answer = CompletableFuture.supplyAsync(() -> 3_000_000L, pool)
                    .thenApplyAsync(task.part("sum of squares", TaskCost::sumOfSquares), pool)
                    .thenApplyAsync(task.part("digits", TaskCost::countDigits), pool)
                    .thenApplyAsync(task.part("sum of squares", digits -> sumOfSquares(digits * 1_000_000)), pool);
            answer.get(1, TimeUnit.MINUTES);
        } finally {
            pool.shutdown();
        }
        print("the task", task.cpuNs.sum(), task.userNs.sum());
    }

    /** Returns the function with its cost added up. */
    private Function<Long, Long> part(String name, Function<Long, Long> work) {
        return input -> {
            CpuTimes before = ThreadClock.read();
            try {
                return work.apply(input);
            } finally {
                CpuTimes after = ThreadClock.read();
                count(name, after.cpuTimeNs() - before.cpuTimeNs(), after.userTimeNs() - before.userTimeNs());
            }
        };
    }

    private void count(String name, long partCpuNs, long partUserNs) {
        cpuNs.add(partCpuNs);
        userNs.add(partUserNs);
        print(name + " on " + Thread.currentThread().getName(), partCpuNs, partUserNs);
    }

    private static void print(String what, long cpuNs, long userNs) {
        System.out.printf("%s: CPU %,d ns, user %,d ns, system %,d ns%n", what, cpuNs, userNs, cpuNs - userNs);
    }

    private static long sumOfSquares(long count) {
        return LongStream.range(0, count).map(i -> i * i).sum();
    }

    private static long countDigits(long number) {
        return LongStream.range(number, number + 100_000)
                .mapToObj(Long::toString)
                .mapToLong(String::length)
                .max()
                .orElse(0);
    }
}
