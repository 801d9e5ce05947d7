// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Tells what a task costs that moves from thread to thread, and where the rest of its wall time went: an account adds
 * up what each thread does for it. A second task would run for ever, and its limit ends it. A figure of -1 is unknown.
 *
 * <pre>java -cp examples/target/threadclock-examples.jar io.threadclock.examples.TaskCost</pre>
 */
public final class TaskCost {
    private static final int THREADS = 3;
    private static final long LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final CpuAccount account = CpuAccount.withAllocatedBytes();
    private volatile boolean isTooExpensive;

    private TaskCost() {}

    public static void main(String[] arguments) throws Exception {
        new TaskCost().run("the task", 3_000_000);
        new TaskCost().run("the endless task", Long.MAX_VALUE);
    }

    private void run(String name, long count) throws Exception {
        ExecutorService measured = account.wrap(Executors.newFixedThreadPool(THREADS));
        account.limit(LIMIT_NS, passed -> isTooExpensive = true);
        CompletableFuture.supplyAsync(() -> sumOfSquares(count), measured)
                .thenApplyAsync(sum -> sumOfSquares(count / 2), measured)
                .thenApplyAsync(sum -> sumOfSquares(count / 4), measured)
                .get(1, TimeUnit.MINUTES);
        measured.shutdown();
        measured.awaitTermination(1, TimeUnit.MINUTES); // the last part ends a little later than its result is there
        AccountUsage usage = account.read();
        System.out.printf(
                "%s%s: CPU %,d ns, user %,d ns, system %,d ns; wall %,d ns, run delay %s, not running %s;"
                        + " switches %s + %s; bytes %,d; parts %d, threads %d%n",
                name,
                isTooExpensive ? ", ended by its limit" : "",
                usage.cpuTimeNs(),
                usage.userTimeNs(),
                usage.systemTimeNs(),
                usage.wallTimeNs(),
                inWords(usage.runDelayNs(), " ns"),
                inWords(usage.notRunningNs(), " ns"),
                inWords(usage.voluntarySwitches(), ""),
                inWords(usage.involuntarySwitches(), ""),
                usage.allocatedBytes(),
                usage.parts(),
                usage.threads());
    }

    /** How threads wait is unknown, -1, where the kernel does not tell it. */
    private static String inWords(long figure, String unit) {
        return figure < 0 ? "unknown" : String.format("%,d%s", figure, unit);
    }

    private long sumOfSquares(long count) {
        long sum = 0;
        for (long i = 0; i < count && !isTooExpensive; i++) {
            sum += i * i;
        }
        return sum;
    }
}
