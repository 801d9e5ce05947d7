// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Tells what a task costs that moves from thread to thread: an account adds up what each thread does for it. A second task
 * would run for ever, and its limit ends it.
 *
 * <pre>java -cp threadclock-examples/target/threadclock-examples.jar io.threadclock.examples.TaskCost</pre>
 */
public final class TaskCost {
    private static final int THREADS = 3;
    private static final long LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final CpuAccount account = new CpuAccount();
    private volatile boolean isTooExpensive;

    private TaskCost() {}

    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            new TaskCost().run("the task", 3_000_000, pool);
            new TaskCost().run("the endless task", Long.MAX_VALUE, pool);
        } finally {
            pool.shutdown();
        }
    }

    private void run(String name, long count, ExecutorService pool) throws Exception {
        ExecutorService measured = account.wrap(pool);
        account.limit(LIMIT_NS, passed -> isTooExpensive = true);
        CompletableFuture.supplyAsync(() -> sumOfSquares(count), measured)
                .thenApplyAsync(sum -> sumOfSquares(count / 2), measured)
                .thenApplyAsync(sum -> sumOfSquares(count / 4), measured)
                .get(1, TimeUnit.MINUTES);
        AccountUsage usage = account.read();
        System.out.printf(
                "%s%s: CPU %,d ns, user %,d ns, system %,d ns; parts %d, threads %d%n",
                name,
                isTooExpensive ? ", ended by its limit" : "",
                usage.cpuTimeNs(),
                usage.userTimeNs(),
                usage.systemTimeNs(),
                usage.parts(),
                usage.threads());
    }

    private long sumOfSquares(long count) {
        long sum = 0;
        for (long i = 0; i < count && !isTooExpensive; i++) {
            sum += i * i;
        }
        return sum;
    }
}
