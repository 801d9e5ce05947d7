// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Has the tasks of a scheduled executor measured by an account, each run of a repeated one as a part. */
final class AccountScheduledExecutorService extends AccountExecutorService implements ScheduledExecutorService {
    private final ScheduledExecutorService executor;

    AccountScheduledExecutorService(CpuAccount account, ScheduledExecutorService executor) {
        super(account, executor);
        this.executor = executor;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return executor.schedule(account.wrap(task), delay, unit);
    }

    @Override
    public <T> ScheduledFuture<T> schedule(Callable<T> task, long delay, TimeUnit unit) {
        return executor.schedule(account.wrap(task), delay, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long initialDelay, long period, TimeUnit unit) {
        return executor.scheduleAtFixedRate(account.wrap(task), initialDelay, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long initialDelay, long delay, TimeUnit unit) {
        return executor.scheduleWithFixedDelay(account.wrap(task), initialDelay, delay, unit);
    }
}
