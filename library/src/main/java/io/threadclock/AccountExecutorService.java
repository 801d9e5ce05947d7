// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Has the tasks of an executor measured by an account. Everything else is done by the executor. */
class AccountExecutorService implements ExecutorService {
    final CpuAccount account;
    private final ExecutorService executor;

    AccountExecutorService(CpuAccount account, ExecutorService executor) {
        this.account = account;
        this.executor = executor;
    }

    @Override
    public final void execute(Runnable task) {
        executor.execute(account.wrap(task));
    }

    @Override
    public final Future<?> submit(Runnable task) {
        return executor.submit(account.wrap(task));
    }

    @Override
    public final <T> Future<T> submit(Runnable task, T result) {
        return executor.submit(account.wrap(task), result);
    }

    @Override
    public final <T> Future<T> submit(Callable<T> task) {
        return executor.submit(account.wrap(task));
    }

    @Override
    public final <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) throws InterruptedException {
        return executor.invokeAll(wrapAll(tasks));
    }

    @Override
    public final <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException {
        return executor.invokeAll(wrapAll(tasks), timeout, unit);
    }

    @Override
    public final <T> T invokeAny(Collection<? extends Callable<T>> tasks)
            throws InterruptedException, ExecutionException {
        return executor.invokeAny(wrapAll(tasks));
    }

    @Override
    public final <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return executor.invokeAny(wrapAll(tasks), timeout, unit);
    }

    @Override
    public final void shutdown() {
        executor.shutdown();
    }

    @Override
    public final List<Runnable> shutdownNow() {
        return executor.shutdownNow();
    }

    @Override
    public final boolean isShutdown() {
        return executor.isShutdown();
    }

    @Override
    public final boolean isTerminated() {
        return executor.isTerminated();
    }

    @Override
    public final boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return executor.awaitTermination(timeout, unit);
    }

    /** Executors have this method from Java 19 on, and some of them close in their own way. */
    public final void close() throws Exception {
        ((AutoCloseable) executor).close();
    }

    private <T> List<Callable<T>> wrapAll(Collection<? extends Callable<T>> tasks) {
        List<Callable<T>> wrapped = new ArrayList<>(tasks.size());
        for (Callable<T> task : tasks) {
            wrapped.add(account.wrap(task));
        }
        return wrapped;
    }
}
