// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** An executor that decorates each task. Everything else is done by the program's own. */
final class MeasuringExecutorService extends AbstractExecutorService {
    private final ExecutorService executor;
    private final UnaryOperator<Runnable> decorating;

    MeasuringExecutorService(ExecutorService executor, UnaryOperator<Runnable> decorating) {
        this.executor = executor;
        this.decorating = decorating;
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(decorating.apply(task));
    }

    @Override
    public void shutdown() {
        executor.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return executor.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return executor.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return executor.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return executor.awaitTermination(timeout, unit);
    }

    @Override
    public String toString() {
        return executor.toString();
    }
}
