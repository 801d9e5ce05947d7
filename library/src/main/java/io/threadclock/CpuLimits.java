// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import io.threadclock.diagnostics.FailureLog;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The limits of one account that it has not reached. While they are watched, one thread looks at it again and again.
 */
final class CpuLimits {
    private static final long SHORTEST_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The thread of all accounts ends if it has had nothing to watch for so long. */
    private static final long IDLE_S = 10;

    private static final FailureLog FAILURES =
            new FailureLog("Limits are noticed when parts end, or accounts are read.");

    private final CpuAccount account;
    private final PartSlots slots;
    private final Queue<Limit> pending = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isWatched = new AtomicBoolean();

    CpuLimits(CpuAccount account, PartSlots slots) {
        this.account = account;
        this.slots = slots;
    }

    void add(long cpuNs, Consumer<? super CpuAccount> action) {
        pending.add(new Limit(cpuNs, action));
    }

    /** Runs the actions of limits that have been reached. Each is run by the one thread that removes its limit. */
    void check(long usedNs) {
        if (slots.isClosed()) {
            return;
        }
        for (Limit limit : pending) {
            if (usedNs >= limit.cpuNs && pending.remove(limit)) {
                run(limit.action);
            }
        }
    }

    /** The account has been closed. */
    void forget() {
        pending.clear();
    }

    /** An action that fails must fail neither the work of its thread nor the watch over other accounts. */
    private void run(Consumer<? super CpuAccount> action) {
        try {
            action.accept(account);
        } catch (Throwable failed) {
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, failed);
        }
    }

    /** Has the account watched as long as parts run and a limit is left. A part calls this after it has begun. */
    void watch() {
        if (!isWatched.get() && !pending.isEmpty() && isWatched.compareAndSet(false, true)) {
            try {
                Watcher.EXECUTOR.prestartCoreThread(); // or a look that nobody takes would stay in the queue
                lookLater(SHORTEST_NS);
            } catch (Throwable noThread) { // the end of each part, and readings, still find out
                isWatched.set(false);
                FAILURES.report("Starting the thread that watches limits of accounts", noThread);
            }
        }
    }

    private void lookLater(long delayNs) {
        Watcher.EXECUTOR.schedule(this::look, delayNs, TimeUnit.NANOSECONDS);
    }

    /**
     * Returns the time until a limit may be reached: no account uses more CPU time than there are CPUs. Not much
     * longer, because another limit may be added, and the JVM be told of fewer CPUs than it uses.
     */
    long delayNs(long usedNs, int cpus) {
        long leftNs =
                pending.stream().mapToLong(limit -> limit.cpuNs - usedNs).min().orElse(0);
        return Math.max(SHORTEST_NS, Math.min(LONGEST_NS, leftNs / cpus));
    }

    private void look() {
        long usedNs = slots.sum()[PartSlot.CPU];
        check(usedNs);
        if (!pending.isEmpty() && slots.isAnyInUse()) {
            lookLater(delayNs(usedNs, Runtime.getRuntime().availableProcessors()));
            return;
        }
        isWatched.set(false);
        if (slots.isAnyInUse()) { // it may have begun before, and have found the account watched
            watch();
        }
    }

    private static final class Limit {
        final long cpuNs;
        final Consumer<? super CpuAccount> action;

        Limit(long cpuNs, Consumer<? super CpuAccount> action) {
            this.cpuNs = cpuNs;
            this.action = action;
        }
    }

    /** The thread is made when the first limit is watched. */
    static final class Watcher {
        static final ScheduledThreadPoolExecutor EXECUTOR = create();

        private static ScheduledThreadPoolExecutor create() {
            ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
                Thread thread = new Thread(task, "threadclock-limits");
                thread.setDaemon(true);
                thread.setContextClassLoader(null);
                return thread;
            });
            executor.setKeepAliveTime(IDLE_S, TimeUnit.SECONDS);
            executor.allowCoreThreadTimeOut(true);
            return executor;
        }
    }
}
