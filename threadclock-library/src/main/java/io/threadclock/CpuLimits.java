// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The limits of one account that it has not reached. While they are watched, one thread looks at it again and again. */
final class CpuLimits {
    private static final long INTERVAL_MS = 10;

    /** The thread of all accounts ends if it has had nothing to watch for so long. */
    private static final long IDLE_S = 10;

    private final CpuAccount account;
    private final PartSlots slots;
    private final Queue<Limit> pending = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isWatched = new AtomicBoolean();

    /** What the account had used when it was last looked at. It may have reached any limit before that. Only looks use it. */
    private long seenNs = Long.MAX_VALUE / 2;

    /** The moment of {@link #seenNs}. */
    private long lookedNs = System.nanoTime();

    CpuLimits(CpuAccount account, PartSlots slots) {
        this.account = account;
        this.slots = slots;
    }

    void add(long cpuNs, Consumer<? super CpuAccount> action) {
        pending.add(new Limit(cpuNs, action));
    }

    /** Runs the actions of limits that have been reached. Each is run by the one thread that removes its limit. */
    void check(long usedNs) {
        for (Limit limit : pending) {
            if (usedNs >= limit.cpuNs && pending.remove(limit)) {
                run(limit.action);
            }
        }
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
            lookLater();
        }
    }

    private void lookLater() {
        Watcher.EXECUTOR.schedule(this::look, INTERVAL_MS, TimeUnit.MILLISECONDS);
    }

    /** Reads the account, which costs system calls, only if it may have reached a limit. */
    private void look() {
        long nowNs = System.nanoTime();
        if (mayHaveReachedOne(nowNs)) {
            long usedNs = slots.sum()[PartSlot.CPU];
            note(usedNs, nowNs);
            check(usedNs);
        }
        if (!pending.isEmpty() && slots.isAnyInUse()) {
            lookLater();
            return;
        }
        isWatched.set(false);
        if (slots.isAnyInUse()) { // it may have begun before, and have found the account watched
            watch();
        }
    }

    void note(long usedNs, long nowNs) {
        seenNs = usedNs;
        lookedNs = nowNs;
    }

    /** Each slot has one part at a time, which cannot use more CPU time than has passed. */
    boolean mayHaveReachedOne(long nowNs) {
        long mostNs = seenNs + (nowNs - lookedNs) * slots.count();
        return pending.stream().anyMatch(limit -> mostNs >= limit.cpuNs);
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
    private static final class Watcher {
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
